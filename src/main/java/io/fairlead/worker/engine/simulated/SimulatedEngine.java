package io.fairlead.worker.engine.simulated;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Fingerprints;
import io.fairlead.worker.engine.ObservedTarget;
import io.fairlead.worker.engine.ObservedTarget.ObservedHost;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.engine.TargetSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Serves nothing and remembers everything. Stricter than an engine has to be: what depends on something must be taken away before it,
 * so that a plan in the wrong order fails here first.
 *
 * <p>The reconciler's thread applies and observes; anybody may script, tamper and look, hence the lock.
 */
public final class SimulatedEngine implements TargetEngine {

    private static final int FIRST_PORT = 49_152;
    private static final int LAST_PORT = 65_535;

    private final StepHook hook;
    private final Map<HostId, ObservedHost> hosts = new HashMap<>();
    private final Map<SubsystemId, ObservedSubsystem> subsystems = new HashMap<>();
    private final Map<ListenerId, ObservedListener> listeners = new HashMap<>();
    private final List<Step> applied = new ArrayList<>();
    private final List<AuthenticationFailureReport> refusals = new ArrayList<>();
    private List<ForeignObject> foreign = List.of();
    private int nextPort = FIRST_PORT;

    public SimulatedEngine(StepHook hook) {
        this.hook = hook;
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public List<Reason> limits() {
        return List.of();
    }

    @Override
    public synchronized List<ForeignObject> foreign() {
        return foreign;
    }

    /** Makes the engine show objects that Fairlead did not make. */
    public synchronized void foreign(List<ForeignObject> objects) {
        foreign = List.copyOf(objects);
    }

    @Override
    public boolean servesHosts() {
        return false;
    }

    @Override
    public synchronized ObservedTarget observe() {
        return new ObservedTarget(hosts, subsystems, listeners);
    }

    @Override
    public void apply(Step step) throws EngineFault {
        hook.before(step);
        synchronized (this) {
            change(step);
            applied.add(step);
        }
    }

    /** Changes what is served behind the reconciler's back, as a hand in configfs would: without hook, unrecorded. */
    public synchronized void tamper(Step step) throws EngineFault {
        change(step);
    }

    /** The steps that were applied, oldest first. */
    public synchronized List<Step> applied() {
        return List.copyOf(applied);
    }

    /** Makes the engine report that it refused somebody. */
    public synchronized void refuse(AuthenticationFailureReport refusal) {
        refusals.add(refusal);
    }

    @Override
    public synchronized List<AuthenticationFailureReport> takeRefusals() {
        List<AuthenticationFailureReport> taken = List.copyOf(refusals);
        refusals.clear();
        return taken;
    }

    @Override
    public synchronized void close() {
        hosts.clear();
        subsystems.clear();
        listeners.clear();
    }

    private void change(Step step) throws EngineFault {
        switch (step) {
            case Step.PutHost put ->
                hosts.put(
                        put.host().id(),
                        new ObservedHost(put.host().id(), put.host().nqn(), Fingerprints.of(put.host())));
            case Step.RemoveHost remove -> removeHost(remove);
            case Step.PutSubsystem put -> putSubsystem(put.subsystem());
            case Step.RemoveSubsystem remove -> removeSubsystem(remove);
            case Step.AllowHost allow -> allowHost(allow);
            case Step.DisallowHost disallow -> disallowHost(disallow);
            case Step.AddNamespace add -> addNamespace(add);
            case Step.ResizeNamespace resize -> resizeNamespace(resize);
            case Step.RemoveNamespace remove -> removeNamespace(remove);
            case Step.AddListener add -> addListener(add);
            case Step.RemoveListener remove -> removeListener(remove);
            case Step.SetAnaState set -> setAnaState(set);
            case Step.Link link -> link(link);
            case Step.Unlink unlink -> unlink(unlink);
        }
    }

    private void removeHost(Step.RemoveHost remove) throws EngineFault {
        for (ObservedSubsystem subsystem : subsystems.values()) {
            if (subsystem.allowedHosts().contains(remove.host())) {
                throw EngineFault.broken(
                        "host.in_use", remove.nqn() + " is still allowed to " + subsystem.nqn() + ".", null);
            }
        }
        hosts.remove(remove.host());
    }

    private void putSubsystem(TargetSpec.SubsystemSpec wanted) throws EngineFault {
        ObservedSubsystem present = subsystems.get(wanted.id());
        if (present != null && !present.nqn().equals(wanted.nqn())) {
            throw EngineFault.broken(
                    "subsystem.renamed", present.nqn() + " cannot become " + wanted.nqn() + " in place.", null);
        }
        for (ObservedSubsystem other : subsystems.values()) {
            if (!other.id().equals(wanted.id()) && other.nqn().equals(wanted.nqn())) {
                throw EngineFault.broken("subsystem.nqn_taken", wanted.nqn() + " is served already.", null);
            }
        }
        subsystems.put(
                wanted.id(),
                new ObservedSubsystem(
                        wanted.id(),
                        wanted.nqn(),
                        wanted.serial(),
                        wanted.model(),
                        wanted.access(),
                        present == null ? Map.of() : present.namespaces(),
                        present == null ? Set.of() : present.allowedHosts(),
                        present == null ? Set.of() : present.listeners()));
    }

    private void removeSubsystem(Step.RemoveSubsystem remove) throws EngineFault {
        ObservedSubsystem present = subsystems.get(remove.subsystem());
        if (present != null
                && !(present.namespaces().isEmpty() && present.listeners().isEmpty())) {
            throw EngineFault.broken("subsystem.in_use", remove.nqn() + " is still linked or has namespaces.", null);
        }
        subsystems.remove(remove.subsystem());
    }

    private void allowHost(Step.AllowHost allow) throws EngineFault {
        ObservedSubsystem subsystem = present(allow.subsystem(), allow.nqn());
        if (!hosts.containsKey(allow.host())) {
            throw EngineFault.broken("host.absent", "Host " + allow.host() + " is not known to the engine.", null);
        }
        Set<HostId> allowed = new HashSet<>(subsystem.allowedHosts());
        allowed.add(allow.host());
        replace(subsystem, subsystem.namespaces(), allowed, subsystem.listeners());
    }

    private void disallowHost(Step.DisallowHost disallow) {
        ObservedSubsystem subsystem = subsystems.get(disallow.subsystem());
        if (subsystem != null) {
            Set<HostId> allowed = new HashSet<>(subsystem.allowedHosts());
            allowed.remove(disallow.host());
            replace(subsystem, subsystem.namespaces(), allowed, subsystem.listeners());
        }
    }

    private void addNamespace(Step.AddNamespace add) throws EngineFault {
        ObservedSubsystem subsystem = present(add.subsystem(), add.nqn());
        TargetSpec.NamespaceSpec wanted = add.namespace();
        for (ObservedNamespace other : subsystem.namespaces().values()) {
            if (!other.id().equals(wanted.id()) && other.nsid() == wanted.nsid()) {
                throw EngineFault.broken(
                        "namespace.nsid_taken", "NSID " + wanted.nsid() + " of " + add.nqn() + " is taken.", null);
            }
        }
        requireDevice(wanted.device(), wanted.sizeBytes());
        ObservedNamespace added = new ObservedNamespace(
                wanted.id(),
                wanted.nsid(),
                wanted.uuid(),
                wanted.nguid(),
                wanted.eui64(),
                wanted.sizeBytes(),
                wanted.lbaBytes(),
                wanted.anaGroup(),
                wanted.deviceIdentity());
        ObservedNamespace before = subsystem.namespaces().get(wanted.id());
        if (before != null && !before.equals(added)) {
            throw EngineFault.broken(
                    "namespace.identity_differs",
                    "Namespace " + wanted.nsid() + " of " + add.nqn() + " is there with another identity.",
                    null);
        }
        Map<NamespaceId, ObservedNamespace> namespaces = new HashMap<>(subsystem.namespaces());
        namespaces.put(wanted.id(), added);
        replace(subsystem, namespaces, subsystem.allowedHosts(), subsystem.listeners());
    }

    private void resizeNamespace(Step.ResizeNamespace resize) throws EngineFault {
        ObservedSubsystem subsystem = present(resize.subsystem(), resize.nqn());
        ObservedNamespace before = subsystem.namespaces().get(resize.namespace());
        if (before == null) {
            throw EngineFault.broken(
                    "namespace.absent", "Namespace " + resize.nsid() + " of " + resize.nqn() + " is absent.", null);
        }
        if (resize.sizeBytes() < before.sizeBytes()) {
            throw EngineFault.broken(
                    "namespace.shrink", "Namespace " + resize.nsid() + " of " + resize.nqn() + " only grows.", null);
        }
        Map<NamespaceId, ObservedNamespace> namespaces = new HashMap<>(subsystem.namespaces());
        namespaces.put(
                before.id(),
                new ObservedNamespace(
                        before.id(),
                        before.nsid(),
                        before.uuid(),
                        before.nguid(),
                        before.eui64(),
                        resize.sizeBytes(),
                        before.lbaBytes(),
                        before.anaGroup(),
                        before.deviceIdentity()));
        replace(subsystem, namespaces, subsystem.allowedHosts(), subsystem.listeners());
    }

    private void removeNamespace(Step.RemoveNamespace remove) {
        ObservedSubsystem subsystem = subsystems.get(remove.subsystem());
        if (subsystem != null) {
            Map<NamespaceId, ObservedNamespace> namespaces = new HashMap<>(subsystem.namespaces());
            namespaces.remove(remove.namespace());
            replace(subsystem, namespaces, subsystem.allowedHosts(), subsystem.listeners());
        }
    }

    private void addListener(Step.AddListener add) throws EngineFault {
        TargetSpec.ListenerSpec wanted = add.listener();
        ObservedListener before = listeners.get(wanted.id());
        boolean stays = before != null
                && before.traddr().equals(wanted.traddr())
                && before.transport() == wanted.transport()
                && (wanted.trsvcid() == 0 || wanted.trsvcid() == before.trsvcid());
        requireAddress(wanted.traddr());
        int port = stays ? before.trsvcid() : wanted.trsvcid() == 0 ? freePort(wanted.traddr()) : wanted.trsvcid();
        if (!stays && isBound(wanted.traddr(), port)) {
            throw EngineFault.notYet(
                    "listener.address_in_use", wanted.traddr() + " port " + port + " is in use.", null);
        }
        listeners.put(
                wanted.id(),
                new ObservedListener(
                        wanted.id(),
                        wanted.transport(),
                        wanted.traddr(),
                        port,
                        wanted.inCapsuleBytes(),
                        wanted.queueSizeMax(),
                        wanted.anaStates()));
        for (Step.AddListener.Served served : before == null ? add.serving() : List.<Step.AddListener.Served>of()) {
            link(new Step.Link(served.subsystem(), served.nqn(), wanted.id()));
        }
    }

    private void setAnaState(Step.SetAnaState set) throws EngineFault {
        ObservedListener present = listeners.get(set.listener());
        if (present == null) {
            throw EngineFault.broken("listener.absent", "Listener " + set.listener() + " is not listening.", null);
        }
        Map<Long, AnaState> states = new HashMap<>(present.anaStates());
        states.put(set.anaGroup(), set.state());
        listeners.put(
                set.listener(),
                new ObservedListener(
                        present.id(),
                        present.transport(),
                        present.traddr(),
                        present.trsvcid(),
                        present.inCapsuleBytes(),
                        present.queueSizeMax(),
                        states));
    }

    private void removeListener(Step.RemoveListener remove) throws EngineFault {
        for (ObservedSubsystem subsystem : subsystems.values()) {
            if (subsystem.listeners().contains(remove.listener())) {
                throw EngineFault.broken("listener.in_use", subsystem.nqn() + " is still served there.", null);
            }
        }
        listeners.remove(remove.listener());
    }

    private void link(Step.Link link) throws EngineFault {
        ObservedSubsystem subsystem = present(link.subsystem(), link.nqn());
        if (!listeners.containsKey(link.listener())) {
            throw EngineFault.broken("listener.absent", "Listener " + link.listener() + " is not listening.", null);
        }
        if (subsystem.namespaces().isEmpty()) {
            throw EngineFault.broken("subsystem.no_namespace", link.nqn() + " has no namespace to serve.", null);
        }
        Set<ListenerId> linked = new HashSet<>(subsystem.listeners());
        linked.add(link.listener());
        replace(subsystem, subsystem.namespaces(), subsystem.allowedHosts(), linked);
    }

    private void unlink(Step.Unlink unlink) {
        ObservedSubsystem subsystem = subsystems.get(unlink.subsystem());
        if (subsystem != null) {
            Set<ListenerId> linked = new HashSet<>(subsystem.listeners());
            linked.remove(unlink.listener());
            replace(subsystem, subsystem.namespaces(), subsystem.allowedHosts(), linked);
        }
    }

    private ObservedSubsystem present(SubsystemId id, String nqn) throws EngineFault {
        ObservedSubsystem subsystem = subsystems.get(id);
        if (subsystem == null) {
            throw EngineFault.broken("subsystem.absent", nqn + " is not known to the engine.", null);
        }
        return subsystem;
    }

    private void replace(
            ObservedSubsystem before,
            Map<NamespaceId, ObservedNamespace> namespaces,
            Set<HostId> allowedHosts,
            Set<ListenerId> linked) {
        subsystems.put(
                before.id(),
                new ObservedSubsystem(
                        before.id(),
                        before.nqn(),
                        before.serial(),
                        before.model(),
                        before.access(),
                        namespaces,
                        allowedHosts,
                        linked));
    }

    private int freePort(String traddr) throws EngineFault {
        for (int tried = FIRST_PORT; tried <= LAST_PORT; tried++) {
            int port = nextPort;
            nextPort = nextPort == LAST_PORT ? FIRST_PORT : nextPort + 1;
            if (!isBound(traddr, port)) {
                return port;
            }
        }
        throw EngineFault.notYet("listener.no_free_port", "No port of " + traddr + " is free.", null);
    }

    private boolean isBound(String traddr, int port) {
        return listeners.values().stream()
                .anyMatch(listener ->
                        listener.trsvcid() == port && listener.traddr().equals(traddr));
    }

    private static void requireDevice(Path device, long sizeBytes) throws EngineFault {
        if (!Files.exists(device)) {
            throw EngineFault.notYet("namespace.device_absent", device + " is not there.", null);
        }
        try {
            // A block device has no length as a file; only an engine that opens it can tell.
            if (Files.isRegularFile(device) && Files.size(device) < sizeBytes) {
                throw EngineFault.broken(
                        "namespace.device_too_small", device + " is smaller than " + sizeBytes + " bytes.", null);
            }
        } catch (IOException e) {
            throw EngineFault.notYet("namespace.device_unreadable", device + " cannot be read.", e);
        }
    }

    private static void requireAddress(String traddr) throws EngineFault {
        try {
            InetAddress address = InetAddress.ofLiteral(traddr);
            boolean isHere = address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
            if (!isHere) {
                throw EngineFault.notYet(
                        "listener.address_absent", "This head has no address " + traddr + " (yet).", null);
            }
        } catch (IOException e) {
            throw EngineFault.notYet("listener.address_absent", "The addresses of this head cannot be read.", e);
        } catch (IllegalArgumentException e) {
            throw EngineFault.broken("listener.address_invalid", traddr + " is not an IP address.", e);
        }
    }
}
