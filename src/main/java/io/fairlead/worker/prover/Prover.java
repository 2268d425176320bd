package io.fairlead.worker.prover;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.DiscoveryEntry;
import io.fairlead.nvme.initiator.DiscoveryLog;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.LongSupplier;

/**
 * Proves a path by walking it as the host would: discovery, Connect, authentication, Identify and reads; and, where a key is needed,
 * once without it, to see that it is refused. It never writes to a namespace. One path takes well under a second when it holds, and at
 * most a few of {@link HostOptions#connectTimeout()} when it does not. Thread-safe.
 */
public final class Prover {

    private static final HostOptions OPTIONS =
            HostOptions.DEFAULT.withQueues(1, 32).withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(5));

    /** A refusal is taken from the engine within seconds; an attempt itself may take as long as its timeouts. */
    private static final Duration PROBE_REMEMBERED = Duration.ofSeconds(30);

    /** An attempt without the key, which a target may report as that of a host. */
    private record Probe(InetSocketAddress local, long openedAtNanos) {}

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ConcurrentLinkedDeque<Probe> probes = new ConcurrentLinkedDeque<>();

    /**
     * @param clock for the time of a proof
     * @param nanoTime monotonic, for deadlines and latencies
     */
    public Prover(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Walks the path. Never throws for what it finds: that is in the report. */
    public PathReport prove(PathTarget target) {
        if (target.transport() != Transport.TCP) {
            return report(
                    target,
                    PathReport.State.UNPROVEN,
                    new Reason(
                            "path.no_initiator",
                            "This head has no initiator for %s, so the path cannot be tried from here."
                                    .formatted(target.transport())));
        }
        if (target.trsvcid() == 0) {
            return report(
                    target,
                    PathReport.State.PENDING,
                    new Reason("path.listener_not_ready", "The listener has no port yet."));
        }
        try {
            PathReport.Proof proof = walk(target);
            return new PathReport(target.id(), PathReport.State.PROVEN, Optional.empty(), Optional.of(proof));
        } catch (PathFault fault) {
            return report(target, PathReport.State.FAILED, fault.reason());
        }
    }

    /**
     * Whether that peer was this prover, trying without the key. Each attempt answers for one refusal, and for none that is told long after
     * it: a host that later has the same port is a host.
     *
     * @param peer the address as targets write it: {@code 127.0.0.1:40312} or {@code [::1]:40312}, in any spelling
     */
    public boolean claimOwnProbe(String peer) {
        int colon = peer.lastIndexOf(':');
        if (colon <= 0) {
            return false;
        }
        String port = peer.substring(colon + 1);
        String host = peer.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        forgetOldProbes();
        for (Probe probe : probes) {
            if (Integer.toString(probe.local().getPort()).equals(port)
                    && isAddress(host, probe.local().getAddress())) {
                return probes.remove(probe);
            }
        }
        return false;
    }

    private static boolean isAddress(String text, InetAddress address) {
        try {
            return InetAddress.ofLiteral(text).equals(address);
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    private static PathReport report(PathTarget target, PathReport.State state, Reason reason) {
        return new PathReport(target.id(), state, Optional.of(reason), Optional.empty());
    }

    private PathReport.Proof walk(PathTarget target) throws PathFault {
        InetSocketAddress address = address(target);
        HostIdentity host = identity(target.host());
        requireDiscoverable(target, host, address);
        Optional<Boolean> refusalWithoutKey = target.host().authentication().isPresent()
                ? Optional.of(requireRefusalWithoutKey(target, host, address))
                : Optional.empty();
        try (HostConnection connection =
                HostConnection.connect(host, address, target.subsystem().nqn(), OPTIONS, nanoTime, opened -> {})) {
            Optional<PathReport.Authenticated> authenticated = authentication(target.host(), connection);
            NamespaceProof.Result namespaces = new NamespaceProof(connection, nanoTime)
                    .prove(target.subsystem().namespaces());
            return new PathReport.Proof(
                    clock.instant(),
                    target.traddr(),
                    target.trsvcid(),
                    authenticated,
                    refusalWithoutKey,
                    namespaces.namespaces(),
                    connection.controllerId(),
                    namespaces.latencies().count(),
                    namespaces.latencies().percentileNanos(50),
                    namespaces.latencies().percentileNanos(99));
        } catch (InitiatorFault fault) {
            throw PathFault.of("Connecting as " + host.nqn(), fault);
        }
    }

    private static InetSocketAddress address(PathTarget target) throws PathFault {
        try {
            InetAddress address = InetAddress.getByName(target.traddr());
            if (address.isAnyLocalAddress()) {
                address = address.getAddress().length == 4
                        ? InetAddress.getByAddress(new byte[] {127, 0, 0, 1})
                        : InetAddress.getByName("::1");
            }
            return new InetSocketAddress(address, target.trsvcid());
        } catch (UnknownHostException unknown) {
            throw PathFault.of(
                    "path.address_unusable", "The listener's address " + target.traddr() + " is not an IP address.");
        }
    }

    private static HostIdentity identity(DesiredHost host) throws PathFault {
        Optional<DesiredHost.Authentication> wanted = host.authentication();
        if (wanted.isEmpty()) {
            return new HostIdentity(host.nqn(), host.hostIdentifier(), Optional.empty());
        }
        DhchapKey hostKey = key(wanted.get().hostSecret());
        Optional<DhchapKey> controllerKey = Optional.empty();
        if (wanted.get().controllerSecret().isPresent()) {
            controllerKey = Optional.of(key(wanted.get().controllerSecret().get()));
        }
        // All is offered, as hosts do: Linux's target refuses one that offers nothing but the NULL group. What was
        // chosen is
        // looked at afterwards.
        HostPolicy policy = HostPolicy.offeringAll(hostKey, controllerKey);
        return new HostIdentity(host.nqn(), host.hostIdentifier(), Optional.of(policy));
    }

    private static DhchapKey key(DhchapSecret secret) throws PathFault {
        return switch (DhchapKey.parse(secret.reveal())) {
            case DhchapKey.Parsed.Valid(DhchapKey key) -> key;
            case DhchapKey.Parsed.Invalid(DhchapKey.Check check) ->
                throw PathFault.of("path.key_malformed", check.sentence());
        };
    }

    private void requireDiscoverable(PathTarget target, HostIdentity host, InetSocketAddress address) throws PathFault {
        DiscoveryLog log;
        try {
            log = HostConnection.discover(host.withoutKey(), address, OPTIONS);
        } catch (InitiatorFault fault) {
            throw PathFault.of("Discovery as " + host.nqn(), fault);
        }
        boolean found = log.entries().stream()
                .anyMatch(entry -> entry.transportType() == DiscoveryEntry.TCP
                        && entry.subsystemNqn().equals(target.subsystem().nqn())
                        && entry.trsvcid().equals(Integer.toString(target.trsvcid()))
                        && isAt(entry.traddr(), target));
        if (!found) {
            throw PathFault.of(
                    "path.not_discoverable",
                    "Discovery as %s at %s lists %d entries, and none is %s at this listener."
                            .formatted(
                                    host.nqn(),
                                    TcpHostQueue.describe(address),
                                    log.entries().size(),
                                    target.subsystem().nqn()));
        }
    }

    /** A wildcard listener is advertised with whatever address the target finds fit. */
    private static boolean isAt(String traddr, PathTarget target) {
        try {
            InetAddress wanted = InetAddress.getByName(target.traddr());
            return wanted.isAnyLocalAddress() || wanted.equals(InetAddress.getByName(traddr));
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }

    private boolean requireRefusalWithoutKey(PathTarget target, HostIdentity host, InetSocketAddress address)
            throws PathFault {
        HostOptions alone = OPTIONS.withQueues(0, OPTIONS.queueDepth());
        try (HostConnection open = HostConnection.connect(
                host.withoutKey(), address, target.subsystem().nqn(), alone, nanoTime, this::remember)) {
            throw PathFault.of(
                    "path.open_without_key",
                    "The subsystem let %s in as controller %d without its key, although it needs one."
                            .formatted(host.nqn(), open.controllerId()));
        } catch (InitiatorFault fault) {
            if (fault.kind() == InitiatorFault.Kind.KEY_REQUIRED) {
                return true;
            }
            throw PathFault.of("Connecting without the key, which has to be refused for the lack of it", fault);
        }
    }

    private void remember(InetSocketAddress local) {
        forgetOldProbes();
        probes.addLast(new Probe(local, nanoTime.getAsLong()));
    }

    private void forgetOldProbes() {
        long now = nanoTime.getAsLong();
        probes.removeIf(probe -> now - probe.openedAtNanos() > PROBE_REMEMBERED.toNanos());
    }

    private static Optional<PathReport.Authenticated> authentication(DesiredHost host, HostConnection connection)
            throws PathFault {
        Optional<AuthProgress.Succeeded> found = connection.authentication();
        if (host.authentication().isEmpty()) {
            return Optional.empty();
        }
        DesiredHost.Authentication wanted = host.authentication().get();
        if (found.isEmpty()) {
            throw PathFault.of(
                    "path.not_authenticated", "The subsystem let the host in without asking it to authenticate.");
        }
        AuthProgress.Succeeded chosen = found.get();
        if (chosen.hash() != hash(wanted.hash()) || chosen.group() != group(wanted.dhGroup())) {
            throw PathFault.of(
                    "path.not_authenticated",
                    "The controller chose %s and %s; wanted are %s and %s."
                            .formatted(
                                    chosen.hash().label(),
                                    chosen.group().label(),
                                    hash(wanted.hash()).label(),
                                    group(wanted.dhGroup()).label()));
        }
        boolean bidirectional = chosen.direction() == AuthProgress.Direction.TWO_WAY;
        if (bidirectional != wanted.controllerSecret().isPresent()) {
            throw PathFault.of("path.not_authenticated", "The controller did not prove itself, although it has to.");
        }
        return Optional.of(new PathReport.Authenticated(wanted.hash(), wanted.dhGroup(), bidirectional));
    }

    private static DhchapHash hash(AuthHash hash) {
        return switch (hash) {
            case SHA_256 -> DhchapHash.SHA_256;
            case SHA_384 -> DhchapHash.SHA_384;
            case SHA_512 -> DhchapHash.SHA_512;
        };
    }

    private static DhchapGroup group(AuthDhGroup group) {
        return switch (group) {
            case NULL -> DhchapGroup.NULL;
            case FFDHE_2048 -> DhchapGroup.FFDHE_2048;
            case FFDHE_3072 -> DhchapGroup.FFDHE_3072;
            case FFDHE_4096 -> DhchapGroup.FFDHE_4096;
            case FFDHE_6144 -> DhchapGroup.FFDHE_6144;
            case FFDHE_8192 -> DhchapGroup.FFDHE_8192;
        };
    }
}
