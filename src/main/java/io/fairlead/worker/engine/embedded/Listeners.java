package io.fairlead.worker.engine.embedded;

import io.fairlead.contract.Transport;
import io.fairlead.core.ListenerId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.embedded.tcp.QueueOpener;
import io.fairlead.worker.engine.embedded.tcp.TcpListener;
import io.fairlead.worker.engine.embedded.tcp.TcpTransport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The listeners of the engine, and what became of their addresses. Used by the reconciler's thread. */
final class Listeners {

    private record Bound(ListenerSpec spec, TcpListener listener) {}

    private final TcpTransport transport;
    private final Map<ListenerId, Bound> bound = new HashMap<>();

    Listeners(TcpTransport transport) {
        this.transport = transport;
    }

    /**
     * Listens on the address, or finds that it does already.
     *
     * @return what is really bound
     */
    InetSocketAddress add(ListenerSpec wanted, QueueOpener opener) throws EngineFault {
        if (wanted.transport() != Transport.TCP) {
            throw EngineFault.broken("listener.transport", "The embedded engine has no RDMA transport yet.", null);
        }
        InetAddress address = parse(wanted);
        Bound present = bound.get(wanted.id());
        if (present != null && isSame(present, wanted) && present.listener.isListening()) {
            if (!isPresent(address)) {
                throw addressAbsent(wanted, null);
            }
            return present.listener.address();
        }
        if (present != null) {
            remove(wanted.id());
        }
        try {
            TcpListener listener = transport.listen(new InetSocketAddress(address, wanted.trsvcid()), opener);
            bound.put(wanted.id(), new Bound(wanted, listener));
            return listener.address();
        } catch (BindException e) {
            throw isPresent(address) ? portInUse(wanted, e) : addressAbsent(wanted, e);
        } catch (IOException e) {
            throw EngineFault.broken(
                    "listener.failed",
                    "Listening on " + wanted.traddr() + " port " + wanted.trsvcid() + " failed: " + e.getMessage()
                            + ".",
                    e);
        }
    }

    private static boolean isSame(Bound present, ListenerSpec wanted) {
        boolean port = wanted.trsvcid() == 0
                || wanted.trsvcid() == present.listener.address().getPort();
        return port && wanted.traddr().equals(present.spec.traddr());
    }

    private static InetAddress parse(ListenerSpec wanted) throws EngineFault {
        try {
            return InetAddress.ofLiteral(wanted.traddr());
        } catch (IllegalArgumentException e) {
            throw noAddress(wanted, e);
        }
    }

    private static EngineFault noAddress(ListenerSpec wanted, Exception cause) {
        // A scope that names an interface which is not there yet cannot be parsed either.
        return wanted.traddr().contains("%")
                ? addressAbsent(wanted, cause)
                : EngineFault.broken("listener.address_invalid", wanted.traddr() + " is not an IP address.", cause);
    }

    private static EngineFault addressAbsent(ListenerSpec wanted, Exception cause) {
        return EngineFault.notYet(
                "listener.address_absent",
                "No interface of this head has the address " + wanted.traddr() + " (EADDRNOTAVAIL).",
                cause);
    }

    private static EngineFault portInUse(ListenerSpec wanted, Exception cause) {
        return EngineFault.notYet(
                "listener.port_in_use",
                "Port " + wanted.trsvcid() + " of " + wanted.traddr()
                        + " is taken by another process (EADDRINUSE); `ss -ltnp 'sport = :" + wanted.trsvcid()
                        + "'` on the head names it.",
                cause);
    }

    /** An address that was bound stays bound when its interface loses it, so only a fresh attempt tells. */
    private static boolean isPresent(InetAddress address) {
        try (ServerSocket probe = new ServerSocket(0, 1, address)) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Stops listening and closes the connections that came in there. */
    void remove(ListenerId id) {
        Bound present = bound.remove(id);
        if (present != null) {
            present.listener.close();
        }
    }

    /** What is listening, with its address still there. */
    Map<ListenerId, ObservedListener> observe(Map<ListenerId, Map<Long, AnaState>> anaStates) {
        Map<ListenerId, ObservedListener> observed = new HashMap<>();
        bound.forEach((id, present) -> {
            if (present.listener.isListening()
                    && isPresent(present.listener.address().getAddress())) {
                ListenerSpec spec = present.spec;
                observed.put(
                        id,
                        new ObservedListener(
                                id,
                                spec.transport(),
                                spec.traddr(),
                                present.listener.address().getPort(),
                                Optional.empty(),
                                Optional.empty(),
                                anaStates.getOrDefault(id, Map.of())));
            }
        });
        return observed;
    }

    Optional<InetSocketAddress> address(ListenerId id) {
        return Optional.ofNullable(bound.get(id)).map(present -> present.listener.address());
    }
}
