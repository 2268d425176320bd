package io.fairlead.nvme.target;

import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.spec.FabricAddressFamily;
import io.fairlead.nvme.spec.FabricTransportType;
import io.fairlead.nvme.target.SubsystemModel.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** One target with a subsystem, a namespace on each of two devices, two listeners, and hosts; arithmetic runs at once. */
final class TargetFixture {

    static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    static final String STRANGER = "nqn.2014-08.org.nvmexpress:uuid:99999999-2222-3333-4444-555555555555";
    static final String KEYED_HOST = "nqn.2026-01.io.fairlead:keyed-host";
    static final UUID HOST_ID = UUID.fromString("11111111-2222-3333-4444-555555555555");
    static final int CNTLID_FIRST = 100;
    static final int CNTLID_LAST = 103;
    static final int BLOCKS = 1024;

    final Random random = new Random(20261201);
    final DhchapKey hostKey = DhchapKey.generate(DhchapHash.SHA_256, random);
    final DhchapKey controllerKey = DhchapKey.generate(DhchapHash.SHA_256, random);
    final DhchapKey otherKey = DhchapKey.generate(DhchapHash.SHA_256, random);
    final List<Refusal> refusals = new ArrayList<>();
    final ManualPollGroup group = new ManualPollGroup();
    final UUID listener = new UUID(1, 1);
    final UUID otherListener = new UUID(1, 2);
    final ScriptedDevice device = new ScriptedDevice(4096, BLOCKS);
    final ScriptedDevice smallBlocks = new ScriptedDevice(512, BLOCKS);
    final Target target;

    TargetFixture() {
        target = new Target(new TargetSettings("1.0", 8192, 5, 128, 16), Runnable::run, random, refusals::add);
        target.putListener(address(listener, 1, FabricAddressFamily.IPV4, "192.0.2.10", "4420"));
        target.putListener(address(otherListener, 2, FabricAddressFamily.IPV6, "2001:db8::10", "4421"));
        target.putHost(new HostCredential(HOST, Optional.empty()));
        target.putHost(new HostCredential(KEYED_HOST, Optional.of(policy(Optional.of(controllerKey)))));
        target.putSubsystem(SUBSYSTEM, "FL0001", "Fairlead", Access.LISTED_HOSTS, CNTLID_FIRST, CNTLID_LAST);
        target.allowHost(SUBSYSTEM, HOST);
        target.allowHost(SUBSYSTEM, KEYED_HOST);
        target.link(SUBSYSTEM, listener);
        target.addNamespace(SUBSYSTEM, namespace(1, device));
        target.addNamespace(SUBSYSTEM, namespace(5, smallBlocks));
    }

    private static ListenerAddress address(
            UUID id, int port, FabricAddressFamily family, String traddr, String trsvcid) {
        return new ListenerAddress(id, port, FabricTransportType.TCP, family, traddr, trsvcid);
    }

    ControllerPolicy policy(Optional<DhchapKey> proof) {
        return new ControllerPolicy(List.of(DhchapHash.SHA_256), List.of(DhchapGroup.NULL), hostKey, proof);
    }

    static NamespaceModel namespace(int nsid, BlockDevice device) {
        byte[] nguid = new byte[16];
        nguid[15] = (byte) nsid;
        return new NamespaceModel(nsid, new UUID(7, nsid), nguid, new byte[8], nsid, device);
    }

    LoopbackHost host() {
        return host(HOST, listener);
    }

    LoopbackHost host(String nqn, UUID through) {
        return new LoopbackHost(target, group, through, nqn, HOST_ID, SUBSYSTEM);
    }

    LoopbackHost hostAsking(String subsystemNqn) {
        return new LoopbackHost(target, group, listener, HOST, HOST_ID, subsystemNqn);
    }

    /** An admin queue that is connected and enabled. */
    LoopbackHost admin() {
        LoopbackHost admin = host();
        admin.connectAdmin();
        admin.enable();
        return admin;
    }

    /** An I/O queue of a new controller. */
    LoopbackHost io() {
        LoopbackHost admin = host();
        int cntlid = admin.connectAdmin();
        admin.enable();
        LoopbackHost io = host();
        io.connectIo(1, cntlid);
        return io;
    }

    List<Refusal.Check> checks() {
        return refusals.stream().map(Refusal::check).toList();
    }
}
