package io.fairlead.worker.prover;

import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import io.fairlead.nvme.target.HostCredential;
import io.fairlead.nvme.target.ListenerAddress;
import io.fairlead.nvme.target.NamespaceModel;
import io.fairlead.nvme.target.Refusal;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.target.Target;
import io.fairlead.nvme.target.TargetSettings;
import io.fairlead.worker.engine.embedded.device.MemoryDevice;
import io.fairlead.worker.engine.embedded.tcp.QueueOpener;
import io.fairlead.worker.engine.embedded.tcp.TcpListener;
import io.fairlead.worker.engine.embedded.tcp.TcpSettings;
import io.fairlead.worker.engine.embedded.tcp.TcpTransport;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real target on real sockets, in this process: what the host is tested against. */
final class LiveTarget implements AutoCloseable {

    static final String HOST = "nqn.2026-01.io.fairlead:host";
    static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    static final UUID HOST_ID = new UUID(1, 2);
    static final UUID NAMESPACE_UUID = UUID.fromString("11111111-2222-4333-8444-555555555555");
    static final byte[] NGUID = new byte[] {1, 35, 69, 103, -119, -85, -51, -17, 1, 35, 69, 103, -119, -85, -51, -17};
    static final int BLOCK_BYTES = 4096;
    static final int BLOCKS = 2048;

    final MemoryDevice device = new MemoryDevice(BLOCK_BYTES, BLOCKS);
    final Target target;
    final List<Refusal> refusals = new CopyOnWriteArrayList<>();
    private final ExecutorService arithmetic = Executors.newSingleThreadExecutor();
    private final TcpTransport transport;
    private final List<TcpListener> listeners = new ArrayList<>();
    private final List<Bound> bound = new ArrayList<>();
    private int portId;

    /** A listener that can be opened again at its place. */
    private record Bound(InetSocketAddress address, QueueOpener opener) {}

    LiveTarget() throws IOException {
        target = new Target(new TargetSettings("1", 4096, 5, 128, 16), arithmetic, new SecureRandom(), refusals::add);
        transport = TcpTransport.start(TcpSettings.DEFAULT);
        target.putSubsystem(SUBSYSTEM, "SERIAL-1", "Fairlead", SubsystemModel.Access.LISTED_HOSTS, 1, 1000);
        target.addNamespace(SUBSYSTEM, new NamespaceModel(1, NAMESPACE_UUID, NGUID, new byte[8], 1, device));
        target.allowHost(SUBSYSTEM, HOST);
        target.putHost(new HostCredential(HOST, Optional.empty()));
    }

    /** Listens at the address, on a free port, and serves the subsystem there. */
    InetSocketAddress listen(String traddr) throws IOException {
        UUID id = UUID.randomUUID();
        InetAddress address = InetAddress.getByName(traddr);
        QueueOpener opener = (fabric, group) -> target.newQueue(fabric, group, id);
        TcpListener listener = transport.listen(new InetSocketAddress(address, 0), opener);
        listeners.add(listener);
        bound.add(new Bound(listener.address(), opener));
        target.putListener(new ListenerAddress(
                id,
                ++portId,
                FabricTransportType.TCP,
                address instanceof Inet6Address ? FabricAddressFamily.IPV6 : FabricAddressFamily.IPV4,
                traddr,
                Integer.toString(listener.address().getPort())));
        target.link(SUBSYSTEM, id);
        return listener.address();
    }

    UUID listenerId() {
        return target.subsystem(SUBSYSTEM).orElseThrow().listeners().iterator().next();
    }

    void demand(ControllerPolicy policy) {
        target.putHost(new HostCredential(HOST, Optional.of(policy)));
    }

    /** Closes the sockets under the hosts. */
    void vanish() {
        listeners.forEach(TcpListener::close);
        listeners.clear();
    }

    /** Listens again where it did. */
    void reappear() throws IOException {
        for (Bound place : bound) {
            listeners.add(transport.listen(place.address(), place.opener()));
        }
    }

    static HostIdentity host() {
        return new HostIdentity(HOST, HOST_ID, Optional.empty());
    }

    @Override
    public void close() {
        vanish();
        transport.close();
        arithmetic.shutdown();
        device.close();
    }
}
