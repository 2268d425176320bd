package io.fairlead.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rooms of the house and the doors between them: DESIGN.md section 6 as data. A room is a package with what lies below it, up to
 * the next room. What is not listed is forbidden, a class outside every room included. Rooms that are not built yet are listed too, so
 * that the first class in them is bound.
 */
final class PackageRules {

    static final String ROOT = "io.fairlead.";

    private static final Map<String, Set<String>> DOORS = doors();

    private PackageRules() {}

    private static Map<String, Set<String>> doors() {
        Map<String, Set<String>> doors = new LinkedHashMap<>();
        // PURE
        doors.put("nvme.spec", Set.of());
        doors.put("nvme.wire", Set.of("nvme.spec"));
        for (String codec : List.of("tcp", "rdma", "auth")) {
            doors.put("nvme." + codec, Set.of("nvme.spec", "nvme.wire"));
        }
        doors.put("nvme.target", Set.of("nvme.spec", "nvme.wire", "nvme.auth"));
        doors.put("nvme.initiator", Set.of("nvme.spec", "nvme.wire", "nvme.auth"));
        // FOREIGN
        doors.put("ffi", Set.of());
        doors.put("ffi.libc", Set.of("ffi"));
        for (String library : List.of("uring", "verbs", "rdmacm", "blkid")) {
            doors.put("ffi." + library, Set.of("ffi", "ffi.libc"));
        }
        doors.put("ffi.rdmacm", Set.of("ffi", "ffi.libc", "ffi.verbs"));
        // SHARED
        doors.put("core", Set.of());
        doors.put("contract", Set.of("core", "nvme.spec"));
        // MANAGEMENT: each feature of the chain may use those before it; host, fabric and telemetry stand beside it.
        Set<String> shared = Set.of("core", "contract", "nvme.spec", "platform");
        doors.put("platform", Set.of("core", "contract", "nvme.spec"));
        List<String> beside = List.of("host", "fabric", "telemetry");
        beside.forEach(feature -> doors.put("management." + feature, shared));
        Set<String> before = new TreeSet<>(shared);
        beside.forEach(feature -> before.add("management." + feature));
        for (String link : List.of("head", "job", "drive", "pool", "subsystem", "export")) {
            doors.put("management." + link, Set.copyOf(before));
            before.add("management." + link);
        }
        doors.put("management.intent", Set.copyOf(before));
        doors.put("management.bench", Set.copyOf(before));
        before.addAll(List.of("management.intent", "management.bench"));
        doors.put("management.tco", Set.copyOf(before));
        // WORKER
        Set<String> nvme =
                Set.of("nvme.spec", "nvme.wire", "nvme.tcp", "nvme.rdma", "nvme.auth", "nvme.target", "nvme.initiator");
        Set<String> foreign = Set.of("ffi", "ffi.libc", "ffi.uring", "ffi.verbs", "ffi.rdmacm", "ffi.blkid");
        Set<String> values = Set.of("core", "contract", "nvme.spec");
        doors.put("worker.ledger", values);
        doors.put("worker.inventory", union(values, foreign));
        doors.put("worker.fabric", union(values, foreign));
        doors.put("worker.telemetry", values);
        doors.put("worker.volume", values);
        for (String provider : List.of("lvm", "lvol", "file")) {
            doors.put("worker.volume." + provider, union(values, foreign, Set.of("worker.volume")));
        }
        doors.put(
                "worker.engine",
                union(values, Set.of("worker.volume", "worker.inventory", "worker.ledger", "worker.telemetry")));
        doors.put("worker.engine.nvmet", union(values, foreign, Set.of("worker.engine")));
        doors.put("worker.engine.spdk", union(values, Set.of("worker.engine")));
        doors.put("worker.engine.simulated", union(values, Set.of("worker.engine")));
        doors.put("worker.engine.embedded", union(values, nvme, Set.of("worker.engine", "worker.telemetry")));
        doors.put(
                "worker.engine.embedded.device",
                union(values, foreign, Set.of("nvme.target", "worker.engine", "worker.engine.embedded")));
        for (String transport : List.of("tcp", "rdma")) {
            doors.put(
                    "worker.engine.embedded." + transport,
                    union(
                            values,
                            nvme,
                            foreign,
                            Set.of("worker.engine", "worker.engine.embedded", "worker.engine.embedded.device")));
        }
        doors.computeIfPresent(
                "worker.engine.embedded",
                (room, open) -> union(
                        open,
                        Set.of(
                                "worker.engine.embedded.device",
                                "worker.engine.embedded.tcp",
                                "worker.engine.embedded.rdma")));
        doors.put("worker.prover", union(values, nvme, foreign));
        doors.put("worker.bench", union(values, nvme, foreign, Set.of("worker.prover")));
        Set<String> wholeWorker = doors.keySet().stream()
                .filter(room -> room.startsWith("worker.") && !room.startsWith("worker.engine."))
                .collect(Collectors.toSet());
        doors.put("worker.agent", union(values, wholeWorker));
        // COMMAND LINE
        doors.put("cli", Set.of("core", "contract"));
        return doors;
    }

    @SafeVarargs
    private static Set<String> union(Set<String>... sets) {
        return Arrays.stream(sets).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    static Set<String> rooms() {
        return DOORS.keySet();
    }

    /** The only class that may name the engines: somebody has to choose. */
    private static final String ENGINE_SELECTOR = ROOT + "worker.engine.EngineSelector";

    static ArchRule onlyListedDoorsAreUsed() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(ROOT + "(**)")
                .and()
                .resideOutsideOfPackage(ROOT + "architecture..")
                .should(new ArchCondition<>("use only the packages that DESIGN.md section 6 lists for them") {
                    @Override
                    public void check(JavaClass subject, ConditionEvents events) {
                        String room = roomOf(subject);
                        if (room == null) {
                            events.add(SimpleConditionEvent.violated(
                                    subject, subject.getName() + " is in a package that DESIGN.md section 6 has not"));
                            return;
                        }
                        for (Dependency dependency : subject.getDirectDependenciesFromSelf()) {
                            checkDoor(subject, room, dependency, events);
                        }
                    }
                });
    }

    private static void checkDoor(JavaClass subject, String room, Dependency dependency, ConditionEvents events) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (!target.getName().startsWith(ROOT)) {
            return;
        }
        String other = roomOf(target);
        boolean selecting =
                outermost(subject).equals(ENGINE_SELECTOR) && other != null && other.startsWith("worker.engine.");
        if (other == null
                || !other.equals(room) && !selecting && !DOORS.get(room).contains(other)) {
            events.add(SimpleConditionEvent.violated(
                    subject, room + " must not use " + other + ": " + dependency.getDescription()));
        }
    }

    private static String outermost(JavaClass subject) {
        String name = subject.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static String roomOf(JavaClass subject) {
        String name = subject.getPackageName();
        if (!name.startsWith(ROOT)) {
            return null;
        }
        String rest = name.substring(ROOT.length());
        while (!DOORS.containsKey(rest)) {
            int dot = rest.lastIndexOf('.');
            if (dot < 0) {
                return null;
            }
            rest = rest.substring(0, dot);
        }
        return rest;
    }

    static ArchRule pureCodeUsesTheJdkOnly() {
        return forbid(
                "io.fairlead.nvme..",
                "the protocol library needs nothing but the JDK",
                name -> !name.startsWith("java.") && !name.startsWith("javax.crypto.") && !name.startsWith(ROOT));
    }

    static ArchRule pureCodeIsGivenTimeChanceAndThreads() {
        Set<String> forbidden = Set.of(
                "java.time.Clock",
                "java.util.Timer",
                "java.util.Random",
                "java.security.SecureRandom",
                "java.util.concurrent.ThreadLocalRandom",
                "java.lang.Thread");
        return forbid(
                "io.fairlead.nvme..",
                "time, chance and threads are passed in",
                name -> forbidden.contains(name)
                        || name.startsWith("java.net.")
                        || name.startsWith("java.nio.channels."));
    }

    static ArchRule onlyTheForeignPackagesCallForeignCode() {
        return ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("io.fairlead..")
                .and()
                .resideOutsideOfPackage("io.fairlead.ffi..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.foreign.Linker")
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("jnr..", "com.kenai.jffi..")
                .allowEmptyShould(true);
    }

    static ArchRule theWorkerKnowsNoApplicationServer() {
        return forbidMany(
                List.of("io.fairlead.worker..", "io.fairlead.cli..", "io.fairlead.core..", "io.fairlead.contract.."),
                "workers and shared values are plain Java",
                name -> Stream.of(
                                "io.quarkus.",
                                "jakarta.",
                                "org.hibernate.",
                                "io.smallrye.",
                                "org.eclipse.microprofile.")
                        .anyMatch(name::startsWith));
    }

    static ArchRule foreignCodeKnowsNoNvme() {
        return forbid(
                "io.fairlead.ffi..", "the foreign packages know no NVMe", name -> name.startsWith(ROOT + "nvme."));
    }

    static ArchRule viewsHoldNoWireSecrets() {
        return ArchRuleDefinition.noClasses()
                .that()
                .haveSimpleNameEndingWith("View")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.fairlead.contract.DhchapSecret")
                .allowEmptyShould(true);
    }

    static List<ArchRule> all() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(onlyListedDoorsAreUsed());
        rules.add(pureCodeUsesTheJdkOnly());
        rules.add(pureCodeIsGivenTimeChanceAndThreads());
        rules.add(onlyTheForeignPackagesCallForeignCode());
        rules.add(theWorkerKnowsNoApplicationServer());
        rules.add(foreignCodeKnowsNoNvme());
        rules.add(viewsHoldNoWireSecrets());
        return rules;
    }

    private static ArchRule forbid(String packages, String why, Predicate<String> forbidden) {
        return forbidMany(List.of(packages), why, forbidden);
    }

    private static ArchRule forbidMany(List<String> packages, String why, Predicate<String> forbidden) {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should(new ArchCondition<>("respect that " + why) {
                    @Override
                    public void check(JavaClass subject, ConditionEvents events) {
                        for (Dependency dependency : subject.getDirectDependenciesFromSelf()) {
                            JavaClass target = dependency.getTargetClass().getBaseComponentType();
                            if (!target.isPrimitive() && forbidden.test(target.getName())) {
                                events.add(SimpleConditionEvent.violated(
                                        subject, why + ": " + dependency.getDescription()));
                            }
                        }
                    }
                })
                .allowEmptyShould(true);
    }
}
