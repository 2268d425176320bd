package io.fairlead.worker.engine.embedded;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.core.Ids;
import io.fairlead.core.ListenerId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import io.fairlead.nvme.target.ControllerView;
import io.fairlead.nvme.target.ListenerAddress;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.target.Target;
import io.fairlead.nvme.target.TargetSettings;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetEngine;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import io.fairlead.worker.engine.embedded.tcp.TcpTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The target engine that lives in this process: TCP on any machine, files and block devices, DH-HMAC-CHAP. Serving ends with {@link
 * #close()}. Called by the reconciler's thread, one call at a time.
 */
public final class EmbeddedEngine implements TargetEngine {

    private static final int PORT_ID_MAX = 0xFFFF;

    /** Authentications at one time; each is some milliseconds of arithmetic. */
    private static final int ARITHMETIC_THREADS = 2;

    private final TcpTransport transport;
    private final ExecutorService arithmetic;
    private final Target target;
    private final Refusals refusals;
    private final Listeners listeners;
    private final Devices devices;
    private final Hosts hosts;
    private final Subsystems subsystems;
    private final Map<ListenerId, Integer> portIds = new HashMap<>();
    private final Map<ListenerId, Map<Long, AnaState>> anaStates = new HashMap<>();

    private EmbeddedEngine(TcpTransport transport, TargetSettings settings, InstantSource clock) {
        SecureRandom random = new SecureRandom();
        this.transport = transport;
        this.arithmetic = Executors.newFixedThreadPool(
                ARITHMETIC_THREADS,
                Thread.ofPlatform().daemon().name("nvme-auth-", 0).factory());
        this.refusals = new Refusals(clock, new Ids(clock, random));
        this.target = new Target(settings, arithmetic, random, refusals);
        this.listeners = new Listeners(transport);
        this.devices = new Devices(transport);
        this.hosts = new Hosts(target);
        this.subsystems = new Subsystems(target, hosts, devices);
    }

    /** Opens an engine that serves nothing yet. */
    public static EmbeddedEngine open(TcpSettings tcp, InstantSource clock) throws IOException {
        return new EmbeddedEngine(TcpTransport.start(tcp), advertised(tcp), clock);
    }

    private static TargetSettings advertised(TcpSettings tcp) {
        int inCapsuleBytes = Math.min(4096, tcp.capsuleDataBytesMax());
        return new TargetSettings("0.1", inCapsuleBytes, 5, 512, 64);
    }

    @Override
    public String name() {
        return "embedded";
    }

    @Override
    public String version() {
        String version = EmbeddedEngine.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.TRANSPORT_TCP,
                Capability.DHCHAP,
                Capability.DHCHAP_BIDIRECTIONAL,
                Capability.NAMESPACE_RESIZE,
                Capability.ANA);
    }

    @Override
    public List<Reason> limits() {
        return List.of(
                new Reason(
                        "transport.rdma",
                        "The embedded engine has no RDMA transport: RDMA listeners of this head are not served. Use the kernel's target for"
                                + " them."),
                new Reason(
                        "listener.attributes",
                        "The embedded engine takes the same in-capsule size and queue size for all listeners: what a listener asks for is"
                                + " not heeded."));
    }

    @Override
    public List<ForeignObject> foreign() {
        return List.of();
    }

    @Override
    public ObservedTarget observe() {
        return new ObservedTarget(hosts.observe(), subsystems.observe(), listeners.observe(anaStates));
    }

    @Override
    public void apply(Step step) throws EngineFault {
        switch (step) {
            case Step.PutHost put -> hosts.put(put.host());
            case Step.RemoveHost remove -> hosts.remove(remove.host());
            case Step.PutSubsystem put -> subsystems.put(put.subsystem(), put.cntlids());
            case Step.RemoveSubsystem remove -> subsystems.remove(remove.subsystem());
            case Step.AllowHost allow -> allow(allow);
            case Step.DisallowHost disallow -> disallow(disallow);
            case Step.AddNamespace add ->
                subsystems.addNamespace(subsystems.require(add.subsystem(), add.nqn()), add.namespace());
            case Step.ResizeNamespace resize ->
                subsystems.resizeNamespace(
                        subsystems.require(resize.subsystem(), resize.nqn()),
                        resize.namespace(),
                        resize.nsid(),
                        resize.sizeBytes());
            case Step.RemoveNamespace remove ->
                subsystems.removeNamespace(remove.subsystem(), remove.namespace(), remove.nsid());
            case Step.AddListener add -> addListener(add);
            case Step.RemoveListener remove -> removeListener(remove.listener());
            case Step.SetAnaState set -> setAnaState(set);
            case Step.Link link -> link(link);
            case Step.Unlink unlink -> unlink(unlink);
        }
    }

    private void allow(Step.AllowHost allow) throws EngineFault {
        String nqn = subsystems.require(allow.subsystem(), allow.nqn());
        String host = hosts.nqn(allow.host())
                .orElseThrow(() -> EngineFault.broken(
                        "host.absent", "Host " + allow.host() + " is not known to the engine.", null));
        if (!isAllowed(nqn, host)) {
            target.allowHost(nqn, host);
        }
    }

    private void disallow(Step.DisallowHost disallow) {
        Optional<String> nqn = subsystems.nqn(disallow.subsystem());
        Optional<String> host = hosts.nqn(disallow.host());
        if (nqn.isPresent() && host.isPresent() && isAllowed(nqn.get(), host.get())) {
            target.disallowHost(nqn.get(), host.get());
        }
    }

    private boolean isAllowed(String nqn, String host) {
        return target.subsystem(nqn).orElseThrow().allowedHosts().contains(host);
    }

    private void addListener(Step.AddListener add) throws EngineFault {
        ListenerSpec wanted = add.listener();
        ListenerId id = wanted.id();
        Optional<InetSocketAddress> before = listeners.address(id);
        List<String> served = before.isEmpty() ? linkAhead(add) : List.of();
        InetSocketAddress bound;
        try {
            bound = listeners.add(wanted, (fabric, group) -> target.newQueue(fabric, group, id.value()));
        } catch (EngineFault e) {
            served.forEach(nqn -> target.unlink(nqn, id.value()));
            if (before.isEmpty()) {
                anaStates.remove(id);
            }
            throw e;
        }
        anaStates.put(id, new HashMap<>(wanted.anaStates()));
        applyAnaStates(id);
        if (before.equals(Optional.of(bound))) {
            return;
        }
        FabricAddressFamily family = switch (wanted.adrfam()) {
            case IPV4 -> FabricAddressFamily.IPV4;
            case IPV6 -> FabricAddressFamily.IPV6;
        };
        target.putListener(new ListenerAddress(
                id.value(),
                portIds.computeIfAbsent(id, _ -> freePortId()),
                FabricTransportType.TCP,
                family,
                wanted.traddr(),
                Integer.toString(bound.getPort())));
    }

    /** Before anybody can connect. What cannot be linked has a step of its own, which says why. */
    private List<String> linkAhead(Step.AddListener add) {
        ListenerId id = add.listener().id();
        anaStates.put(id, new HashMap<>(add.listener().anaStates()));
        List<String> linked = new ArrayList<>();
        for (Step.AddListener.Served served : add.serving()) {
            Optional<String> nqn = subsystems.nqn(served.subsystem());
            if (nqn.isPresent() && !isLinked(nqn.get(), id)) {
                target.link(nqn.get(), id.value());
                applyAnaStates(nqn.get(), id);
                linked.add(nqn.get());
            }
        }
        return linked;
    }

    private int freePortId() {
        int portId = 1;
        while (portIds.containsValue(portId)) {
            portId++;
        }
        if (portId > PORT_ID_MAX) {
            throw new IllegalStateException("more listeners than there are port numbers");
        }
        return portId;
    }

    private void removeListener(ListenerId id) {
        if (listeners.address(id).isPresent()) {
            target.removeListener(id.value());
            listeners.remove(id);
            portIds.remove(id);
            anaStates.remove(id);
        }
    }

    private void setAnaState(Step.SetAnaState set) throws EngineFault {
        Map<Long, AnaState> states = anaStates.get(set.listener());
        if (states == null) {
            throw EngineFault.notYet("listener.absent", "Listener " + set.listener() + " is not listening yet.", null);
        }
        if (set.anaGroup() < 1 || set.anaGroup() > Target.ANA_GROUPS_MAX) {
            throw EngineFault.broken(
                    "listener.ana_group_out_of_range",
                    "ANA group " + set.anaGroup() + " is not between 1 and " + Target.ANA_GROUPS_MAX + ".",
                    null);
        }
        states.put(set.anaGroup(), set.state());
        applyAnaStates(set.listener());
    }

    private void applyAnaStates(ListenerId listener) {
        target.subsystems().stream()
                .filter(model -> model.listeners().contains(listener.value()))
                .forEach(model -> applyAnaStates(model.nqn(), listener));
    }

    /** Only what differs is set, because each setting is an event for the hosts. */
    private void applyAnaStates(String nqn, ListenerId listener) {
        Map<Long, AnaState> wanted = anaStates.getOrDefault(listener, Map.of());
        Map<SubsystemModel.AnaKey, AnaState> present =
                target.subsystem(nqn).orElseThrow().anaStates();
        for (int group = 1; group <= Target.ANA_GROUPS_MAX; group++) {
            AnaState state = wanted.getOrDefault((long) group, AnaState.OPTIMIZED);
            AnaState before =
                    present.getOrDefault(new SubsystemModel.AnaKey(listener.value(), group), AnaState.OPTIMIZED);
            if (state != before) {
                target.anaState(nqn, listener.value(), group, state);
            }
        }
    }

    private void link(Step.Link link) throws EngineFault {
        String nqn = subsystems.require(link.subsystem(), link.nqn());
        if (listeners.address(link.listener()).isEmpty()) {
            throw EngineFault.notYet("listener.absent", "Listener " + link.listener() + " is not listening yet.", null);
        }
        applyAnaStates(nqn, link.listener());
        if (!isLinked(nqn, link.listener())) {
            target.link(nqn, link.listener().value());
        }
    }

    private void unlink(Step.Unlink unlink) {
        Optional<String> nqn = subsystems.nqn(unlink.subsystem());
        if (nqn.isPresent() && isLinked(nqn.get(), unlink.listener())) {
            target.unlink(nqn.get(), unlink.listener().value());
        }
    }

    private boolean isLinked(String nqn, ListenerId listener) {
        return target.subsystem(nqn).orElseThrow().listeners().contains(listener.value());
    }

    @Override
    public List<AuthenticationFailureReport> takeRefusals() {
        return refusals.take();
    }

    /** Who is connected right now. */
    public List<ControllerView> connected() {
        return target.controllers();
    }

    /** Where the listener is really bound. */
    public Optional<InetSocketAddress> address(ListenerId listener) {
        return listeners.address(listener);
    }

    /** Data buffers that commands hold; none when nobody is connected. */
    public int buffersInUse() {
        return transport.buffersInUse();
    }

    /** Connections that are open, whether or not Connect came. */
    public int connections() {
        return transport.connections();
    }

    /** Closes listeners and connections, waits for the devices' operations, then closes the devices. */
    @Override
    public void close() {
        transport.close();
        devices.closeAll();
        arithmetic.shutdown();
    }
}
