package io.fairlead.worker.engine;

import io.fairlead.contract.DriftReport;
import io.fairlead.contract.DriftReport.Difference;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.ObservedTarget.ObservedHost;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells what somebody else changed: one report per object, with what was wanted and what was found. */
final class Drift {

    private static final String ABSENT = "absent";
    private static final String PRESENT = "present";

    private final TargetSpec wanted;
    private final ObservedTarget found;

    /**
     * Compares.
     *
     * @param found before anything was repaired
     */
    Drift(TargetSpec wanted, ObservedTarget found) {
        this.wanted = wanted;
        this.found = found;
    }

    /**
     * Reports on the objects of these steps.
     *
     * @param steps those that put right what was as desired before
     * @param results of all steps of the pass
     * @param remaining steps that a look afterwards would ask for
     */
    List<DriftReport> report(List<Step> steps, List<StepReport> results, Set<Step> remaining, Instant seenAt) {
        Map<ObjectRef, List<Step>> byObject =
                steps.stream().collect(Collectors.groupingBy(ObjectRef::of, LinkedHashMap::new, Collectors.toList()));
        List<DriftReport> reports = new ArrayList<>();
        byObject.forEach((object, own) -> {
            List<StepReport> done = results.stream()
                    .filter(result ->
                            result.kind() == object.kind() && result.id().equals(object.id()))
                    .toList();
            boolean repaired = own.stream().noneMatch(remaining::contains)
                    && done.stream().allMatch(result -> result.outcome() == StepReport.Outcome.DONE);
            Optional<Reason> reason = done.stream()
                    .filter(result -> result.outcome() != StepReport.Outcome.DONE)
                    .flatMap(result -> result.reason().stream())
                    .findFirst();
            reports.add(new DriftReport(
                    idOf(object, seenAt),
                    seenAt,
                    object.kind(),
                    object.id(),
                    name(object),
                    differences(object),
                    own.stream().map(Step::describe).collect(Collectors.joining("; ")),
                    repaired,
                    repaired ? Optional.empty() : reason.or(() -> Optional.of(notTaken()))));
        });
        return reports;
    }

    private static Reason notTaken() {
        return new Reason(
                "drift.not_repaired",
                "The engine took the repair and still shows the change. It is tried again with the next look.");
    }

    /** Found twice at one instant is found once. */
    private static UUID idOf(ObjectRef object, Instant seenAt) {
        return UUID.nameUUIDFromBytes(
                (object.kind() + "/" + object.id() + "/" + seenAt).getBytes(StandardCharsets.UTF_8));
    }

    private String name(ObjectRef object) {
        UUID id = object.id();
        return switch (object.kind()) {
            case HOST -> hostName(new HostId(id));
            case SUBSYSTEM -> subsystemName(new SubsystemId(id));
            case NAMESPACE -> namespaceName(new NamespaceId(id));
            case LISTENER -> listenerName(new ListenerId(id));
            case VOLUME, POOL -> id.toString();
        };
    }

    private String hostName(HostId id) {
        return either(wanted.hosts().get(id), HostSpec::nqn, found.hosts().get(id), ObservedHost::nqn, id);
    }

    private String subsystemName(SubsystemId id) {
        return either(
                wanted.subsystems().get(id),
                SubsystemSpec::nqn,
                found.subsystems().get(id),
                ObservedSubsystem::nqn,
                id);
    }

    private String namespaceName(NamespaceId id) {
        return Stream.concat(
                        wanted.subsystems().values().stream()
                                .filter(subsystem -> subsystem.namespaces().containsKey(id))
                                .map(subsystem ->
                                        "NSID " + subsystem.namespaces().get(id).nsid() + " of " + subsystem.nqn()),
                        found.subsystems().values().stream()
                                .filter(subsystem -> subsystem.namespaces().containsKey(id))
                                .map(subsystem ->
                                        "NSID " + subsystem.namespaces().get(id).nsid() + " of " + subsystem.nqn()))
                .findFirst()
                .orElseGet(id::toString);
    }

    private String listenerName(ListenerId id) {
        return either(
                wanted.listeners().get(id),
                spec -> address(spec.transport().name(), spec.traddr(), spec.trsvcid()),
                found.listeners().get(id),
                seen -> address(seen.transport().name(), seen.traddr(), seen.trsvcid()),
                id);
    }

    private static String address(String transport, String traddr, int trsvcid) {
        return transport.toLowerCase(Locale.ROOT) + " " + traddr + " port " + trsvcid;
    }

    private static <W, F> String either(
            W wanted, Function<W, String> ofWanted, F found, Function<F, String> ofFound, Object id) {
        if (wanted != null) {
            return ofWanted.apply(wanted);
        }
        return found != null ? ofFound.apply(found) : id.toString();
    }

    private List<Difference> differences(ObjectRef object) {
        UUID id = object.id();
        return switch (object.kind()) {
            case HOST -> host(new HostId(id));
            case SUBSYSTEM -> subsystem(new SubsystemId(id));
            case NAMESPACE -> namespace(new NamespaceId(id));
            case LISTENER -> listener(new ListenerId(id));
            case VOLUME, POOL -> List.of();
        };
    }

    private List<Difference> host(HostId id) {
        HostSpec spec = wanted.hosts().get(id);
        ObservedHost seen = found.hosts().get(id);
        Differences differences = new Differences();
        if (differences.areBothPresent("host", spec, seen)) {
            differences.compare("nqn", spec.nqn(), seen.nqn());
            if (differences.isEmpty()) {
                // What the keys are is nobody's business; that they are others is.
                differences.add("keys", "as they were set", "changed");
            }
        }
        return differences.list();
    }

    private List<Difference> subsystem(SubsystemId id) {
        SubsystemSpec spec = wanted.subsystems().get(id);
        ObservedSubsystem seen = found.subsystems().get(id);
        Differences differences = new Differences();
        if (differences.areBothPresent("subsystem", spec, seen)) {
            differences.compare("nqn", spec.nqn(), seen.nqn());
            differences.compare("serial", spec.serial(), seen.serial());
            differences.compare("model", spec.model(), seen.model());
            differences.compare("access", spec.access(), seen.access());
            differences.compareSets("allowedHosts", spec.allowedHosts(), seen.allowedHosts(), this::hostName);
            differences.compareSets("listeners", spec.listeners(), seen.listeners(), this::listenerName);
        }
        return differences.list();
    }

    private List<Difference> namespace(NamespaceId id) {
        NamespaceSpec spec = wanted.subsystems().values().stream()
                .map(subsystem -> subsystem.namespaces().get(id))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        ObservedNamespace seen = found.subsystems().values().stream()
                .map(subsystem -> subsystem.namespaces().get(id))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Differences differences = new Differences();
        if (differences.areBothPresent("namespace", spec, seen)) {
            differences.compare("nsid", spec.nsid(), seen.nsid());
            differences.compare("uuid", spec.uuid(), seen.uuid());
            differences.compare("nguid", spec.nguid(), seen.nguid());
            differences.compare("eui64", spec.eui64(), seen.eui64());
            differences.compare("lbaBytes", spec.lbaBytes(), seen.lbaBytes());
            differences.compare("anaGroup", spec.anaGroup(), seen.anaGroup());
            differences.compare("device", spec.deviceIdentity(), seen.deviceIdentity());
            if (seen.sizeBytes() < spec.sizeBytes()) {
                differences.compare("sizeBytes", spec.sizeBytes(), seen.sizeBytes());
            }
        }
        return differences.list();
    }

    private List<Difference> listener(ListenerId id) {
        ListenerSpec spec = wanted.listeners().get(id);
        ObservedListener seen = found.listeners().get(id);
        Differences differences = new Differences();
        if (differences.areBothPresent("listener", spec, seen)) {
            differences.compare("transport", spec.transport(), seen.transport());
            differences.compare("traddr", spec.traddr(), seen.traddr());
            if (spec.trsvcid() != 0) {
                differences.compare("trsvcid", spec.trsvcid(), seen.trsvcid());
            }
            differences.compareKnown("inCapsuleBytes", spec.inCapsuleBytes(), seen.inCapsuleBytes());
            differences.compareKnown("queueSizeMax", spec.queueSizeMax(), seen.queueSizeMax());
            Set<Long> groups = new TreeSet<>(spec.anaStates().keySet());
            groups.addAll(seen.anaStates().keySet());
            for (long group : groups) {
                differences.compare(
                        "anaState of group " + group,
                        spec.anaStates().getOrDefault(group, AnaState.OPTIMIZED),
                        seen.anaStates().getOrDefault(group, AnaState.OPTIMIZED));
            }
        }
        return differences.list();
    }

    /** Collects what differs. */
    private static final class Differences {
        private final List<Difference> list = new ArrayList<>();

        /** Whether there is anything to compare; if not, that one of them is missing is the difference. */
        boolean areBothPresent(String field, Object wanted, Object found) {
            if (wanted == null || found == null) {
                add(field, wanted == null ? ABSENT : PRESENT, found == null ? ABSENT : PRESENT);
            }
            return wanted != null && found != null;
        }

        void compare(String field, Object wanted, Object found) {
            if (!wanted.equals(found)) {
                add(field, text(wanted), text(found));
            }
        }

        void compareKnown(String field, Optional<Integer> wanted, Optional<Integer> found) {
            if (wanted.isPresent() && found.isPresent()) {
                compare(field, wanted.get(), found.get());
            }
        }

        <T> void compareSets(String field, Set<T> wanted, Set<T> found, Function<T, String> name) {
            wanted.stream()
                    .filter(one -> !found.contains(one))
                    .map(name)
                    .sorted()
                    .forEach(one -> add(field, one, ABSENT));
            found.stream()
                    .filter(one -> !wanted.contains(one))
                    .map(name)
                    .sorted()
                    .forEach(one -> add(field, ABSENT, one));
        }

        void add(String field, String wanted, String found) {
            list.add(new Difference(field, wanted, found));
        }

        boolean isEmpty() {
            return list.isEmpty();
        }

        List<Difference> list() {
            return List.copyOf(list);
        }

        private static String text(Object value) {
            return value instanceof Enum<?> constant ? constant.name() : value.toString();
        }
    }
}
