package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE16;
import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static io.fairlead.nvme.initiator.HostCommand.LE64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fairlead.nvme.initiator.HostCommand.Transfer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Fabrics commands (NVM Express Base 2.0, section 6). */
final class FabricsCommands {

    static final int PROPERTY_SET = 0x00;
    static final int CONNECT = 0x01;
    static final int PROPERTY_GET = 0x04;
    static final int AUTHENTICATION_SEND = 0x05;
    static final int AUTHENTICATION_RECEIVE = 0x06;

    /** CNTLID with which a host asks for a new controller. */
    static final int ANY_CONTROLLER = 0xFFFF;

    /** Properties (section 3.1.3). */
    static final int CAP = 0x00;

    static final int VS = 0x08;
    static final int CC = 0x14;
    static final int CSTS = 0x1C;

    private static final int NQN_BYTES = 256;
    private static final int CONNECT_DATA_BYTES = 1024;
    private static final int CONNECT_CNTLID_OFFSET = 16;
    static final int CONNECT_SUBNQN_OFFSET = 256;
    static final int CONNECT_HOSTNQN_OFFSET = 512;
    private static final int QID_OFFSET = 42;
    private static final int SQSIZE_OFFSET = 44;
    private static final int KATO_OFFSET = 48;
    private static final int PROPERTY_ATTRIBUTES_OFFSET = 40;
    private static final int PROPERTY_OFFSET_OFFSET = 44;
    private static final int PROPERTY_VALUE_OFFSET = 48;
    private static final int PROPERTY_OF_8_BYTES = 1;
    private static final int SPSP0_OFFSET = 41;
    private static final int SPSP1_OFFSET = 42;
    private static final int SECP_OFFSET = 43;
    private static final int TRANSFER_LENGTH_OFFSET = 44;
    /** The security protocol of NVMe in-band authentication. */
    private static final int SECP_NVME = 0xE9;

    private FabricsCommands() {}

    private static MemorySegment entry(int fabricsType) {
        MemorySegment sqe = HostCommand.entry(HostCommand.FABRICS_OPCODE);
        sqe.set(JAVA_BYTE, HostCommand.FABRICS_TYPE_OFFSET, (byte) fabricsType);
        return sqe;
    }

    /** Connect (section 6.3). */
    static HostCommand connect(
            HostIdentity host, String subsystemNqn, int controllerId, int queueId, int depth, int keepAliveMillis) {
        MemorySegment sqe = entry(CONNECT);
        sqe.set(LE16, QID_OFFSET, (short) queueId);
        sqe.set(LE16, SQSIZE_OFFSET, (short) (depth - 1));
        sqe.set(LE32, KATO_OFFSET, keepAliveMillis);
        MemorySegment data = MemorySegment.ofArray(new byte[CONNECT_DATA_BYTES]);
        MemorySegment.copy(bytes(host.hostIdentifier()), 0, data, JAVA_BYTE, 0, 16);
        data.set(LE16, CONNECT_CNTLID_OFFSET, (short) controllerId);
        putName(data, CONNECT_SUBNQN_OFFSET, subsystemNqn);
        putName(data, CONNECT_HOSTNQN_OFFSET, host.nqn());
        return new HostCommand(sqe, Transfer.TO_CONTROLLER, data);
    }

    private static void putName(MemorySegment data, long offset, String nqn) {
        byte[] name = nqn.getBytes(StandardCharsets.UTF_8);
        if (name.length >= NQN_BYTES) {
            throw new IllegalArgumentException("an NVMe qualified name has at most 223 bytes");
        }
        MemorySegment.copy(name, 0, data, JAVA_BYTE, offset, name.length);
    }

    private static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** Property Get of CAP, the only one of 8 bytes (section 6.5). */
    static HostCommand propertyGetLong(int property) {
        MemorySegment sqe = entry(PROPERTY_GET);
        sqe.set(JAVA_BYTE, PROPERTY_ATTRIBUTES_OFFSET, (byte) PROPERTY_OF_8_BYTES);
        sqe.set(LE32, PROPERTY_OFFSET_OFFSET, property);
        return HostCommand.withoutData(sqe);
    }

    static HostCommand propertyGet(int property) {
        MemorySegment sqe = entry(PROPERTY_GET);
        sqe.set(LE32, PROPERTY_OFFSET_OFFSET, property);
        return HostCommand.withoutData(sqe);
    }

    static HostCommand propertySet(int property, int value) {
        MemorySegment sqe = entry(PROPERTY_SET);
        sqe.set(LE32, PROPERTY_OFFSET_OFFSET, property);
        sqe.set(LE64, PROPERTY_VALUE_OFFSET, Integer.toUnsignedLong(value));
        return HostCommand.withoutData(sqe);
    }

    /** Authentication Send (section 6.2). */
    static HostCommand authenticationSend(MemorySegment message) {
        return new HostCommand(security(AUTHENTICATION_SEND, message), Transfer.TO_CONTROLLER, message);
    }

    /** Authentication Receive (section 6.1). */
    static HostCommand authenticationReceive(MemorySegment buffer) {
        return new HostCommand(security(AUTHENTICATION_RECEIVE, buffer), Transfer.TO_HOST, buffer);
    }

    private static MemorySegment security(int fabricsType, MemorySegment data) {
        MemorySegment sqe = entry(fabricsType);
        sqe.set(JAVA_BYTE, SPSP0_OFFSET, (byte) 1);
        sqe.set(JAVA_BYTE, SPSP1_OFFSET, (byte) 1);
        sqe.set(JAVA_BYTE, SECP_OFFSET, (byte) SECP_NVME);
        sqe.set(LE32, TRANSFER_LENGTH_OFFSET, (int) data.byteSize());
        return sqe;
    }
}
