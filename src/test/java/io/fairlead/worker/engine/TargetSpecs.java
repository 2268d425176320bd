package io.fairlead.worker.engine;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32;

/** Makes parts of a {@link TargetSpec} that are well-formed enough for a real engine, all from one seed. */
public final class TargetSpecs {

    private final Random random;
    private final HostSpec theHost;

    public TargetSpecs(long seed) {
        this.random = new Random(seed);
        UUID identifier = uuid();
        this.theHost = host(new HostId(uuid()), "nqn.2014-08.org.nvmexpress:uuid:" + identifier, identifier, secret(1));
    }

    public UUID uuid() {
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    public CntlidWindow cntlids() {
        return new CntlidWindow(1, 100);
    }

    public TargetSpec nothing() {
        return new TargetSpec(cntlids(), Map.of(), Map.of(), Map.of());
    }

    public static String subsystemNqn(String name) {
        return "nqn.2026-01.io.fairlead:test:" + name;
    }

    /** One host with a key, the same at each call. */
    public HostSpec theHost() {
        return theHost;
    }

    public HostSpec host(HostId id, String nqn, UUID identifier, DhchapSecret secret) {
        return new HostSpec(
                id,
                nqn,
                identifier,
                Optional.of(new DesiredHost.Authentication(
                        secret, Optional.empty(), AuthHash.SHA_256, AuthDhGroup.FFDHE_2048)));
    }

    /** A well-formed key of 32 bytes: {@code DHHC-1:00:base64(key + CRC-32, little endian):}. */
    public static DhchapSecret secret(int seed) {
        byte[] key = new byte[32];
        new Random(seed).nextBytes(key);
        CRC32 crc = new CRC32();
        crc.update(key);
        ByteBuffer whole = ByteBuffer.allocate(36).order(ByteOrder.LITTLE_ENDIAN);
        whole.put(key).putInt((int) crc.getValue());
        return new DhchapSecret("DHHC-1:00:" + Base64.getEncoder().encodeToString(whole.array()) + ":");
    }

    public ListenerSpec listener(ListenerId id, String traddr, int port) {
        return new ListenerSpec(id, Transport.TCP, AddressFamily.IPV4, traddr, port);
    }

    public NamespaceSpec namespace(long nsid, Path device, long sizeBytes) {
        byte[] nguid = new byte[16];
        random.nextBytes(nguid);
        return new NamespaceSpec(
                new NamespaceId(uuid()),
                nsid,
                uuid(),
                HexFormat.of().formatHex(nguid),
                "0000000000000000",
                sizeBytes,
                512,
                1,
                device,
                "volume." + uuid());
    }

    public NamespaceSpec resized(NamespaceSpec before, long sizeBytes) {
        return new NamespaceSpec(
                before.id(),
                before.nsid(),
                before.uuid(),
                before.nguid(),
                before.eui64(),
                sizeBytes,
                before.lbaBytes(),
                before.anaGroup(),
                before.device(),
                before.deviceIdentity());
    }

    public NamespaceSpec withUuid(NamespaceSpec before, UUID uuid) {
        return new NamespaceSpec(
                before.id(),
                before.nsid(),
                uuid,
                before.nguid(),
                before.eui64(),
                before.sizeBytes(),
                before.lbaBytes(),
                before.anaGroup(),
                before.device(),
                before.deviceIdentity());
    }

    public SubsystemSpec with(SubsystemSpec before, Map<NamespaceId, NamespaceSpec> namespaces) {
        return new SubsystemSpec(
                before.id(),
                before.nqn(),
                before.serial(),
                before.model(),
                before.access(),
                namespaces,
                before.allowedHosts(),
                before.listeners());
    }
}
