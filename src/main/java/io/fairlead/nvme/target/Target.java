package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.Nqn;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * An NVMe-oF target without a transport: subsystems, hosts, listeners, and the queues that hosts connect.
 *
 * <p>One control thread changes it; each change is visible when the method returns, and ends only the associations that it is about. Poll
 * groups read without locks. Ending an association and telling a host of an event are handed to the poll group that owns the queue.
 */
public final class Target {

    /** NN and MNAN: the highest NSID of a subsystem. */
    public static final int NAMESPACES_MAX = 1024;

    /** ANAGRPMAX and NANAGRPID. */
    public static final int ANA_GROUPS_MAX = 32;

    private final TargetSettings settings;
    private final Executor arithmetic;
    private final RandomGenerator random;
    private final RefusalListener refusals;
    private final Map<String, Subsystem> subsystems = new ConcurrentHashMap<>();
    private final Map<String, HostCredential> hosts = new ConcurrentHashMap<>();
    private final Map<UUID, ListenerAddress> listeners = new ConcurrentHashMap<>();
    private final Subsystem discovery;
    private final AtomicLong discoveryGeneration = new AtomicLong(1);

    /**
     * @param arithmetic runs the arithmetic of authentication, which takes milliseconds, outside the poll groups
     * @param random a cryptographic generator, except in tests
     */
    public Target(TargetSettings settings, Executor arithmetic, RandomGenerator random, RefusalListener refusals) {
        this.settings = settings;
        this.arithmetic = arithmetic;
        this.random = random;
        this.refusals = refusals;
        this.discovery = new Subsystem(new SubsystemModel(
                Nqn.DISCOVERY,
                "DISCOVERY",
                "Fairlead discovery",
                SubsystemModel.Access.ANY_HOST,
                1,
                0xFFEF,
                Set.of(),
                new TreeMap<>(),
                Set.of(),
                Map.of(),
                0));
    }

    /** The target's side of a connection that came in through the listener. On the poll group's thread. */
    public TargetQueue newQueue(FabricTransport transport, PollGroup group, UUID listener) {
        return new FabricQueue(this, transport, group, listener);
    }

    // Hosts

    /** Makes the host known or replaces what is demanded of it; live associations stay, and the next authentication uses it. */
    public void putHost(HostCredential host) {
        hosts.put(host.nqn(), host);
    }

    public void removeHost(String nqn) {
        hosts.remove(nqn);
    }

    public Optional<HostCredential> host(String nqn) {
        return Optional.ofNullable(hosts.get(nqn));
    }

    // Listeners

    /** Makes the address known to discovery; subsystems are served on it once they are linked. */
    public void putListener(ListenerAddress listener) {
        listeners.put(listener.id(), listener);
        discoveryChanged();
    }

    /** Forgets the address and ends all associations that came through it. */
    public void removeListener(UUID listener) {
        listeners.remove(listener);
        for (Subsystem subsystem : List.copyOf(subsystems.values())) {
            if (subsystem.model().listeners().contains(listener)) {
                unlink(subsystem.model().nqn(), listener);
            }
        }
        discovery.end(controller -> controller.listener().equals(listener));
        discoveryChanged();
    }

    Optional<ListenerAddress> listener(UUID id) {
        return Optional.ofNullable(listeners.get(id));
    }

    // Subsystems

    /** Makes the subsystem, or changes its attributes. Closing it to all but listed hosts ends the others' associations. */
    public void putSubsystem(
            String nqn, String serial, String model, SubsystemModel.Access access, int cntlidFirst, int cntlidLast) {
        Subsystem present = subsystems.get(nqn);
        if (present == null) {
            subsystems.put(
                    nqn,
                    new Subsystem(new SubsystemModel(
                            nqn,
                            serial,
                            model,
                            access,
                            cntlidFirst,
                            cntlidLast,
                            Set.of(),
                            new TreeMap<>(),
                            Set.of(),
                            Map.of(),
                            0)));
            return;
        }
        change(present, old -> old.withAttributes(serial, model, access, cntlidFirst, cntlidLast));
        endNotAdmitted(present);
        discoveryChanged();
    }

    /** Ends all of its associations. Its namespaces' devices are the caller's again. */
    public void removeSubsystem(String nqn) {
        Subsystem subsystem = subsystems.remove(nqn);
        if (subsystem != null) {
            change(subsystem, old -> old.withListeners(Set.of()));
            subsystem.end(controller -> true);
            discoveryChanged();
        }
    }

    public void allowHost(String nqn, String hostNqn) {
        change(require(nqn), old -> old.withAllowedHosts(with(old.allowedHosts(), hostNqn)));
        discoveryChanged();
    }

    /** Ends the host's associations with this subsystem, and no others. */
    public void disallowHost(String nqn, String hostNqn) {
        Subsystem subsystem = require(nqn);
        change(subsystem, old -> old.withAllowedHosts(without(old.allowedHosts(), hostNqn)));
        endNotAdmitted(subsystem);
        discoveryChanged();
    }

    private static void endNotAdmitted(Subsystem subsystem) {
        subsystem.end(controller -> !subsystem.model().admits(controller.hostNqn()));
    }

    /** Serves the subsystem on the listener. */
    public void link(String nqn, UUID listener) {
        change(require(nqn), old -> old.withListeners(with(old.listeners(), listener)));
        discoveryChanged();
    }

    /** Ends the associations of this subsystem that came through this listener, and no others. */
    public void unlink(String nqn, UUID listener) {
        Subsystem subsystem = require(nqn);
        change(subsystem, old -> old.withListeners(without(old.listeners(), listener)));
        subsystem.end(controller -> controller.listener().equals(listener));
        discoveryChanged();
    }

    // Namespaces

    /** Adds a namespace; connected hosts are told. */
    public void addNamespace(String nqn, NamespaceModel namespace) {
        Subsystem subsystem = require(nqn);
        change(subsystem, old -> {
            NavigableMap<Integer, NamespaceModel> changed = new TreeMap<>(old.namespaces());
            if (changed.putIfAbsent(namespace.nsid(), namespace) != null) {
                throw new IllegalStateException("NSID " + namespace.nsid() + " of " + nqn + " is taken");
            }
            return old.withNamespaces(changed);
        });
        subsystem.controllers().forEach(controller -> controller.onNamespaceChanged(namespace.nsid()));
    }

    /** The namespace's device has grown; connected hosts are told. */
    public void namespaceResized(String nqn, int nsid) {
        require(nqn).controllers().forEach(controller -> controller.onNamespaceChanged(nsid));
    }

    /** Removes a namespace; connected hosts are told. Commands that are at its device finish. */
    public Optional<NamespaceModel> removeNamespace(String nqn, int nsid) {
        Subsystem subsystem = require(nqn);
        NamespaceModel removed = subsystem.model().namespaces().get(nsid);
        if (removed != null) {
            change(subsystem, old -> {
                NavigableMap<Integer, NamespaceModel> changed = new TreeMap<>(old.namespaces());
                changed.remove(nsid);
                return old.withNamespaces(changed);
            });
            subsystem.controllers().forEach(controller -> controller.onNamespaceChanged(nsid));
        }
        return Optional.ofNullable(removed);
    }

    /** Sets the state of a group as seen through one listener; hosts connected through it are told. */
    public void anaState(String nqn, UUID listener, int group, AnaState state) {
        Subsystem subsystem = require(nqn);
        change(subsystem, old -> {
            Map<SubsystemModel.AnaKey, AnaState> states = new HashMap<>(old.anaStates());
            states.put(new SubsystemModel.AnaKey(listener, group), state);
            return old.withAnaStates(states);
        });
        subsystem.controllers().stream()
                .filter(controller -> controller.listener().equals(listener))
                .forEach(Controller::onAnaChanged);
    }

    // Reading back

    /** The subsystem as it is served right now. */
    public Optional<SubsystemModel> subsystem(String nqn) {
        return Optional.ofNullable(subsystems.get(nqn)).map(Subsystem::model);
    }

    public Collection<SubsystemModel> subsystems() {
        return subsystems.values().stream().map(Subsystem::model).toList();
    }

    /** Who is connected to subsystems; discovery controllers are not counted. */
    public List<ControllerView> controllers() {
        return subsystems.values().stream()
                .flatMap(subsystem -> subsystem.controllers().stream())
                .map(Controller::view)
                .toList();
    }

    // For queues

    TargetSettings settings() {
        return settings;
    }

    Executor arithmetic() {
        return arithmetic;
    }

    RandomGenerator random() {
        return random;
    }

    RefusalListener refusals() {
        return refusals;
    }

    Subsystem discoverySubsystem() {
        return discovery;
    }

    long discoveryGeneration() {
        return discoveryGeneration.get();
    }

    Optional<Subsystem> find(String nqn) {
        return Optional.ofNullable(subsystems.get(nqn));
    }

    private void discoveryChanged() {
        discoveryGeneration.incrementAndGet();
        discovery.controllers().forEach(Controller::onDiscoveryChanged);
    }

    private Subsystem require(String nqn) {
        return Objects.requireNonNull(subsystems.get(nqn), () -> "there is no subsystem " + nqn);
    }

    private static void change(Subsystem subsystem, UnaryOperator<SubsystemModel> how) {
        subsystem.model(how.apply(subsystem.model()));
    }

    private static <T> Set<T> with(Set<T> set, T element) {
        Set<T> changed = new HashSet<>(set);
        changed.add(element);
        return changed;
    }

    private static <T> Set<T> without(Set<T> set, T element) {
        Set<T> changed = new HashSet<>(set);
        changed.remove(element);
        return changed;
    }
}
