package io.fairlead.worker.engine;

import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * Turns the difference between what shall be and what is into ordered steps. Pure: the same input gives the same plan, and a target
 * that is as desired gives none.
 *
 * <p>First everything that must go, from the outside in: links, rights, namespaces, subsystems, listeners, hosts. Then everything that
 * must come, from the inside out: hosts, subsystems, rights, namespaces, listeners, links. Going first frees the NSIDs, names and ports
 * that something new may need.
 *
 * <p>What cannot be changed in place (a host's or subsystem's NQN, a namespace's identity, its device, its ANA group) is taken away and
 * made anew, visibly; a listener is moved by its engine, which can have the new place ready before it gives up the old one. A namespace never shrinks: that difference plans nothing, and the reconciler reports it.
 * A subsystem is not linked while it has no namespace, so the links of one that is about to lose its last one go first.
 */
public final class Planner {

    private final TargetSpec desired;
    private final ObservedTarget observed;
    private final List<Step> steps = new ArrayList<>();

    private Planner(TargetSpec desired, ObservedTarget observed) {
        this.desired = desired;
        this.observed = observed;
    }

    /** The steps from {@code observed} to {@code desired}, in an order in which each finds what it needs. */
    public static List<Step> plan(TargetSpec desired, ObservedTarget observed) {
        Planner planner = new Planner(desired, observed);
        planner.takeAway();
        planner.make();
        return List.copyOf(planner.steps);
    }

    private void takeAway() {
        Collection<ObservedSubsystem> subsystems = sorted(
                observed.subsystems().values(), subsystem -> subsystem.id().value());
        for (ObservedSubsystem subsystem : subsystems) {
            for (ListenerId listener : sorted(subsystem.listeners(), ListenerId::value)) {
                if (!keepsLink(subsystem, listener)) {
                    steps.add(new Step.Unlink(subsystem.id(), subsystem.nqn(), listener));
                }
            }
        }
        for (ObservedSubsystem subsystem : subsystems) {
            for (HostId host : sorted(subsystem.allowedHosts(), HostId::value)) {
                if (!keepsRight(subsystem, host)) {
                    steps.add(new Step.DisallowHost(subsystem.id(), subsystem.nqn(), host));
                }
            }
        }
        for (ObservedSubsystem subsystem : subsystems) {
            for (ObservedNamespace namespace : sorted(
                    subsystem.namespaces().values(), present -> present.id().value())) {
                if (!keepsNamespace(subsystem, namespace)) {
                    steps.add(new Step.RemoveNamespace(
                            subsystem.id(), subsystem.nqn(), namespace.id(), namespace.nsid()));
                }
            }
        }
        for (ObservedSubsystem subsystem : subsystems) {
            if (!keeps(subsystem)) {
                steps.add(new Step.RemoveSubsystem(subsystem.id(), subsystem.nqn()));
            }
        }
        for (ObservedListener listener :
                sorted(observed.listeners().values(), present -> present.id().value())) {
            if (!keepsListener(listener.id())) {
                steps.add(new Step.RemoveListener(listener.id(), listener.traddr(), listener.trsvcid()));
            }
        }
        for (ObservedHost host :
                sorted(observed.hosts().values(), present -> present.id().value())) {
            if (!keepsHost(host.id())) {
                steps.add(new Step.RemoveHost(host.id(), host.nqn()));
            }
        }
    }

    private void make() {
        for (HostSpec host : sorted(desired.hosts().values(), spec -> spec.id().value())) {
            ObservedHost present = observed.hosts().get(host.id());
            if (present == null || !present.fingerprint().equals(Fingerprints.of(host))) {
                steps.add(new Step.PutHost(host));
            }
        }
        Collection<SubsystemSpec> subsystems =
                sorted(desired.subsystems().values(), spec -> spec.id().value());
        for (SubsystemSpec subsystem : subsystems) {
            ObservedSubsystem present = kept(subsystem.id());
            if (present == null || !hasAttributes(present, subsystem)) {
                steps.add(new Step.PutSubsystem(subsystem, desired.cntlids()));
            }
        }
        for (SubsystemSpec subsystem : subsystems) {
            ObservedSubsystem present = kept(subsystem.id());
            for (HostId host : sorted(subsystem.allowedHosts(), HostId::value)) {
                boolean has = present != null && present.allowedHosts().contains(host) && keepsRight(present, host);
                if (!has) {
                    steps.add(new Step.AllowHost(subsystem.id(), subsystem.nqn(), host));
                }
            }
        }
        for (SubsystemSpec subsystem : subsystems) {
            makeNamespaces(subsystem);
        }
        makeListeners();
        for (SubsystemSpec subsystem : subsystems) {
            makeLinks(subsystem);
        }
    }

    private void makeNamespaces(SubsystemSpec subsystem) {
        ObservedSubsystem subsystemPresent = kept(subsystem.id());
        for (NamespaceSpec namespace :
                sorted(subsystem.namespaces().values(), spec -> spec.id().value())) {
            ObservedNamespace present = subsystemPresent == null
                    ? null
                    : subsystemPresent.namespaces().get(namespace.id());
            if (present == null || !keepsNamespace(subsystemPresent, present)) {
                steps.add(new Step.AddNamespace(subsystem.id(), subsystem.nqn(), namespace));
            } else if (present.sizeBytes() < namespace.sizeBytes()) {
                steps.add(new Step.ResizeNamespace(
                        subsystem.id(), subsystem.nqn(), namespace.id(), namespace.nsid(), namespace.sizeBytes()));
            }
        }
    }

    private void makeLinks(SubsystemSpec subsystem) {
        if (subsystem.namespaces().isEmpty()) {
            return;
        }
        ObservedSubsystem present = kept(subsystem.id());
        for (ListenerId listener : sorted(subsystem.listeners(), ListenerId::value)) {
            boolean has = present != null && present.listeners().contains(listener) && keepsLink(present, listener);
            if (!has) {
                steps.add(new Step.Link(subsystem.id(), subsystem.nqn(), listener));
            }
        }
    }

    /** What is observed of a subsystem that may stay, or null. */
    private ObservedSubsystem kept(SubsystemId id) {
        ObservedSubsystem present = observed.subsystems().get(id);
        return present != null && keeps(present) ? present : null;
    }

    private boolean keeps(ObservedSubsystem subsystem) {
        SubsystemSpec wanted = desired.subsystems().get(subsystem.id());
        return wanted != null && wanted.nqn().equals(subsystem.nqn());
    }

    private boolean keepsLink(ObservedSubsystem subsystem, ListenerId listener) {
        if (!keeps(subsystem) || !keepsListener(listener)) {
            return false;
        }
        boolean wanted = desired.subsystems().get(subsystem.id()).listeners().contains(listener);
        return wanted
                && subsystem.namespaces().values().stream().anyMatch(present -> keepsNamespace(subsystem, present));
    }

    private boolean keepsRight(ObservedSubsystem subsystem, HostId host) {
        return keeps(subsystem)
                && keepsHost(host)
                && desired.subsystems().get(subsystem.id()).allowedHosts().contains(host);
    }

    private boolean keepsNamespace(ObservedSubsystem subsystem, ObservedNamespace namespace) {
        if (!keeps(subsystem)) {
            return false;
        }
        NamespaceSpec wanted =
                desired.subsystems().get(subsystem.id()).namespaces().get(namespace.id());
        return wanted != null && sameIdentity(wanted, namespace);
    }

    /** Those that move come first: they may leave an address that a new one wants. */
    private void makeListeners() {
        Collection<ListenerSpec> listeners =
                sorted(desired.listeners().values(), spec -> spec.id().value());
        for (ListenerSpec listener : listeners) {
            if (keepsListener(listener.id())) {
                if (isAtItsAddress(listener) && hasAttributes(listener)) {
                    setAnaStates(listener, observed.listeners().get(listener.id()));
                } else {
                    steps.add(new Step.AddListener(listener));
                }
            }
        }
        for (ListenerSpec listener : listeners) {
            if (!keepsListener(listener.id())) {
                steps.add(new Step.AddListener(listener, servedFrom(listener.id())));
            }
        }
    }

    private List<Step.AddListener.Served> servedFrom(ListenerId listener) {
        return sorted(desired.subsystems().values(), spec -> spec.id().value()).stream()
                .filter(subsystem -> subsystem.listeners().contains(listener)
                        && !subsystem.namespaces().isEmpty())
                .map(subsystem -> new Step.AddListener.Served(subsystem.id(), subsystem.nqn()))
                .toList();
    }

    private void setAnaStates(ListenerSpec wanted, ObservedListener present) {
        Set<Long> groups = new TreeSet<>(wanted.anaStates().keySet());
        groups.addAll(present.anaStates().keySet());
        for (long group : groups) {
            AnaState state = wanted.anaStates().getOrDefault(group, AnaState.OPTIMIZED);
            if (state != present.anaStates().getOrDefault(group, AnaState.OPTIMIZED)) {
                steps.add(new Step.SetAnaState(wanted.id(), group, state));
            }
        }
    }

    /**
     * A listener at another address than wanted stays with its subsystems and is moved, unless something else has to give the address up
     * first and may be waiting for this one's in turn.
     */
    private boolean keepsListener(ListenerId id) {
        ListenerSpec wanted = desired.listeners().get(id);
        ObservedListener present = observed.listeners().get(id);
        return wanted != null
                && present != null
                && (isAtItsAddress(wanted)
                        || observed.listeners().values().stream()
                                .noneMatch(other -> !other.id().equals(id) && other.trsvcid() == wanted.trsvcid()));
    }

    private boolean isAtItsAddress(ListenerSpec wanted) {
        ObservedListener present = observed.listeners().get(wanted.id());
        return wanted.transport() == present.transport()
                && wanted.traddr().equals(present.traddr())
                && (wanted.trsvcid() == 0 || wanted.trsvcid() == present.trsvcid());
    }

    /** What an engine does not tell is not held against it. */
    private boolean hasAttributes(ListenerSpec wanted) {
        ObservedListener present = observed.listeners().get(wanted.id());
        return agrees(wanted.inCapsuleBytes(), present.inCapsuleBytes())
                && agrees(wanted.queueSizeMax(), present.queueSizeMax());
    }

    private static boolean agrees(Optional<Integer> wanted, Optional<Integer> present) {
        return wanted.isEmpty() || present.isEmpty() || wanted.equals(present);
    }

    private boolean keepsHost(HostId id) {
        HostSpec wanted = desired.hosts().get(id);
        ObservedHost present = observed.hosts().get(id);
        return wanted != null && present != null && wanted.nqn().equals(present.nqn());
    }

    /** Whether everything by which a host knows a namespace, and the data behind it, is the same. */
    static boolean sameIdentity(NamespaceSpec wanted, ObservedNamespace present) {
        return wanted.nsid() == present.nsid()
                && wanted.uuid().equals(present.uuid())
                && wanted.nguid().equals(present.nguid())
                && wanted.eui64().equals(present.eui64())
                && wanted.lbaBytes() == present.lbaBytes()
                && wanted.anaGroup() == present.anaGroup()
                && wanted.deviceIdentity().equals(present.deviceIdentity());
    }

    static boolean hasAttributes(ObservedSubsystem present, SubsystemSpec wanted) {
        return present.nqn().equals(wanted.nqn())
                && present.serial().equals(wanted.serial())
                && present.model().equals(wanted.model())
                && present.access() == wanted.access();
    }

    private static <T> List<T> sorted(Collection<T> items, Function<T, UUID> key) {
        return items.stream().sorted(Comparator.comparing(key)).toList();
    }
}
