package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.ForeignObject;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.worker.engine.Capability;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget;
import io.fairlead.worker.engine.Step;
import io.fairlead.worker.engine.TargetEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The target of the Linux kernel. It goes on serving when this is closed. Where it cannot be driven (no module, configfs not mounted, not
 * root) the engine serves nothing, says why, and looks again at each call.
 */
public final class NvmetEngine implements TargetEngine {

    private static final System.Logger LOG = System.getLogger(NvmetEngine.class.getName());
    private static final String RECORD = "nvmet.json";

    private final Machine machine;
    private final Tree tree;
    private final Ownership ownership;
    private final KernelLog log;
    private final Optional<KernelLogReader> reader;
    private final NvmetHosts hosts;
    private final NvmetNamespaces namespaces;
    private final NvmetPorts ports;
    private final NvmetSubsystems subsystems;
    private KernelFeatures features;

    NvmetEngine(ConfigFs fs, Machine machine, Path record, KernelLog log, Optional<KernelLogReader> reader) {
        this.machine = machine;
        this.tree = new Tree(fs);
        this.ownership = Ownership.open(record, machine.bootId());
        this.log = log;
        this.reader = reader;
        this.hosts = new NvmetHosts(tree, ownership);
        this.namespaces = new NvmetNamespaces(tree, ownership, machine);
        this.ports = new NvmetPorts(tree, ownership, machine);
        this.subsystems = new NvmetSubsystems(tree, ownership, hosts, namespaces, ports, log);
    }

    /** Opens the engine of this machine; what Fairlead made in an earlier process of this boot is known by the record in the directory. */
    public static NvmetEngine open(Path stateDirectory, InstantSource clock) {
        LinuxMachine machine = new LinuxMachine(Path.of("/"));
        KernelLog log = new KernelLog(machine.bootId(), booted(clock));
        return new NvmetEngine(
                new KernelConfigFs(machine.nvmet()), machine, stateDirectory.resolve(RECORD), log, readLog(log));
    }

    /** Whether this process can drive the kernel's target now, or did so before with this state directory. */
    public static boolean isAtHome(Path stateDirectory) {
        return Files.exists(stateDirectory.resolve(RECORD))
                || new LinuxMachine(Path.of("/")).missing().isEmpty();
    }

    private static Optional<KernelLogReader> readLog(KernelLog log) {
        try {
            return Optional.of(KernelLogReader.start(Path.of("/dev/kmsg"), log));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "event=kernel-log-unreadable refusals are not explained", e);
            return Optional.empty();
        }
    }

    private static Instant booted(InstantSource clock) {
        try {
            String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
            return clock.instant().minus(Duration.ofMillis((long) (Double.parseDouble(uptime) * 1000)));
        } catch (IOException e) {
            return clock.instant();
        }
    }

    @Override
    public String name() {
        return "nvmet";
    }

    @Override
    public String version() {
        return machine.kernelRelease();
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        if (machine.missing().isPresent()) {
            return capabilities;
        }
        KernelFeatures kernel = features();
        if (machine.whyNot(Transport.TCP).isEmpty()) {
            capabilities.add(Capability.TRANSPORT_TCP);
        }
        if (machine.whyNot(Transport.RDMA).isEmpty()) {
            capabilities.add(Capability.TRANSPORT_RDMA);
        }
        if (kernel.authentication()) {
            capabilities.add(Capability.DHCHAP);
            capabilities.add(Capability.DHCHAP_BIDIRECTIONAL);
        }
        if (kernel.resize()) {
            capabilities.add(Capability.NAMESPACE_RESIZE);
        }
        capabilities.add(Capability.ANA);
        return capabilities;
    }

    @Override
    public List<Reason> limits() {
        Optional<Machine.Missing> missing = machine.missing();
        if (missing.isPresent()) {
            return List.of(new Reason(missing.get().code(), missing.get().text()));
        }
        List<Reason> limits = new ArrayList<>();
        machine.whyNot(Transport.TCP).ifPresent(why -> limits.add(new Reason(Capability.TRANSPORT_TCP.code(), why)));
        machine.whyNot(Transport.RDMA).ifPresent(why -> limits.add(new Reason(Capability.TRANSPORT_RDMA.code(), why)));
        limits.addAll(features().limits());
        limits.add(new Reason(
                "namespace.eui64",
                "The kernel's target has no EUI-64: hosts know namespaces of this head by NGUID and UUID."));
        limits.add(new Reason(
                "host.disconnect",
                "The kernel's target cannot end the associations of one host: when a host that has connected is no longer allowed, all"
                        + " hosts of that subsystem connect once more."));
        limits.add(new Reason(
                "host.refusals",
                "The kernel's target does not say where a refused host came from, nor that a host came without a key or refused the"
                        + " controller's proof: of those only the host knows."));
        return limits;
    }

    /** Looked up once per module load; the answer cannot change while nvmet stays loaded. */
    private KernelFeatures features() {
        if (features == null) {
            try {
                features = KernelFeatures.probe(tree);
            } catch (ConfigFsException e) {
                throw new UncheckedIOException("the kernel's target cannot be probed", e);
            }
        }
        return features;
    }

    @Override
    public List<ForeignObject> foreign() {
        if (machine.missing().isPresent()) {
            return List.of();
        }
        try {
            return findForeign();
        } catch (ConfigFsException e) {
            throw new UncheckedIOException("the kernel's target cannot be read", e);
        }
    }

    private List<ForeignObject> findForeign() throws ConfigFsException {
        List<ForeignObject> foreign = new ArrayList<>();
        for (String nqn : tree.names(Tree.HOSTS)) {
            if (!ownership.ownsHost(nqn) && !KernelFeatures.isProbe(nqn)) {
                foreign.add(
                        new ForeignObject("host", nqn, "A host that Fairlead did not make; its keys are left alone."));
            }
        }
        for (String nqn : tree.names(Tree.SUBSYSTEMS)) {
            boolean isOurs = nqn.equals(Tree.KEEPER) || ownership.ownsSubsystem(nqn);
            if (!isOurs && !KernelFeatures.isProbe(nqn)) {
                foreign.add(new ForeignObject(
                        "subsystem",
                        nqn,
                        "A subsystem that Fairlead did not make; no export of this head can have its NQN."));
            }
            for (String nsid : isOurs ? tree.names(Tree.namespaces(nqn)) : List.<String>of()) {
                if (!subsystems.ownsNamespace(nqn, nsid)) {
                    foreign.add(
                            new ForeignObject(
                                    "namespace",
                                    nqn + " NSID " + nsid,
                                    "A namespace that Fairlead did not make, in a subsystem that it did: its hosts can see it."));
                }
            }
        }
        for (int port : tree.ports()) {
            if (!ownership.ownsPort(port) && !KernelFeatures.isProbe(Integer.toString(port))) {
                foreign.add(new ForeignObject(
                        "port",
                        Integer.toString(port),
                        "A port that Fairlead did not make, at " + tree.value(Tree.port(port) + "/addr_traddr")
                                + " port "
                                + tree.value(Tree.port(port) + "/addr_trsvcid")
                                + ": no listener of this head can have its address."));
            }
        }
        return foreign;
    }

    @Override
    public ObservedTarget observe() {
        if (machine.missing().isPresent()) {
            return ObservedTarget.EMPTY;
        }
        try {
            return new ObservedTarget(hosts.observe(), subsystems.observe(), ports.observe());
        } catch (ConfigFsException e) {
            throw new UncheckedIOException("the kernel's target cannot be read", e);
        }
    }

    @Override
    public void apply(Step step) throws EngineFault {
        Optional<Machine.Missing> missing = machine.missing();
        if (missing.isPresent()) {
            throw EngineFault.notYet(missing.get().code(), missing.get().text(), null);
        }
        switch (step) {
            case Step.PutHost put -> hosts.put(put.host(), features());
            case Step.RemoveHost remove -> hosts.remove(remove.host());
            case Step.PutSubsystem put -> subsystems.put(put.subsystem(), put.cntlids());
            case Step.RemoveSubsystem remove -> subsystems.remove(remove.subsystem());
            case Step.AllowHost allow -> subsystems.allow(allow.subsystem(), allow.nqn(), allow.host());
            case Step.DisallowHost disallow -> subsystems.disallow(disallow.subsystem(), disallow.host());
            case Step.AddNamespace add -> addNamespace(add);
            case Step.ResizeNamespace resize ->
                namespaces.resize(
                        resize.namespace(),
                        subsystems.require(resize.subsystem(), resize.nqn()),
                        resize.nsid(),
                        resize.sizeBytes(),
                        features());
            case Step.RemoveNamespace remove -> namespaces.remove(remove.namespace());
            case Step.AddListener add -> addListener(add);
            case Step.RemoveListener remove -> ports.remove(remove.listener());
            case Step.SetAnaState set -> ports.setAnaState(set.listener(), set.anaGroup(), set.state());
            case Step.Link link -> link(link);
            case Step.Unlink unlink -> {
                Optional<String> nqn = subsystems.nqn(unlink.subsystem());
                if (nqn.isPresent()) {
                    ports.unlink(nqn.get(), unlink.listener());
                }
            }
        }
    }

    /** Its group exists on every port that serves it before the namespace is there, or hosts would see it inaccessible. */
    private void addNamespace(Step.AddNamespace add) throws EngineFault {
        String nqn = subsystems.require(add.subsystem(), add.nqn());
        try {
            for (int port : ports.serving(nqn)) {
                ports.ensureGroup(port, add.namespace().anaGroup());
            }
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain("ANA group " + add.namespace().anaGroup(), e);
        }
        namespaces.add(add.subsystem(), nqn, add.namespace());
    }

    private void addListener(Step.AddListener add) throws EngineFault {
        List<String> serving = add.serving().stream()
                .flatMap(served -> subsystems.nqn(served.subsystem()).stream())
                .toList();
        ports.add(add.listener(), serving);
    }

    private void link(Step.Link link) throws EngineFault {
        String nqn = subsystems.require(link.subsystem(), link.nqn());
        ports.link(nqn, link.listener());
    }

    @Override
    public List<AuthenticationFailureReport> takeRefusals() {
        return log.take();
    }

    /** The kernel goes on serving. */
    @Override
    public void close() {
        reader.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "event=close-failed", e);
            }
        });
    }
}
