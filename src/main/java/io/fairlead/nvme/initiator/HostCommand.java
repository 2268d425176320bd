package io.fairlead.nvme.initiator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A command on its way to a controller. The transport fills in the command identifier and the data pointer.
 *
 * @param sqe the submission queue entry (NVM Express Base 2.0, section 3.3.3.1)
 * @param transfer which way data moves
 * @param data where it comes from or goes to; empty when none moves
 */
public record HostCommand(MemorySegment sqe, Transfer transfer, MemorySegment data) {

    public static final int SQE_BYTES = 64;

    static final int OPCODE_OFFSET = 0;
    static final int NSID_OFFSET = 4;
    /** FCTYPE of a Fabrics command (section 6). */
    static final int FABRICS_TYPE_OFFSET = 4;

    static final int DWORD_10_OFFSET = 40;
    static final int DWORD_11_OFFSET = 44;
    static final int DWORD_12_OFFSET = 48;
    static final int DWORD_13_OFFSET = 52;

    static final ValueLayout.OfShort LE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt LE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LE64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The opcode of all Fabrics commands. */
    public static final int FABRICS_OPCODE = 0x7F;

    private static final MemorySegment NO_DATA = MemorySegment.ofArray(new byte[0]);

    /** Which way the data of a command moves. */
    public enum Transfer {
        NONE,
        TO_CONTROLLER,
        TO_HOST
    }

    public HostCommand {
        Objects.requireNonNull(transfer);
        Objects.requireNonNull(data);
        if (sqe.byteSize() != SQE_BYTES) {
            throw new IllegalArgumentException("a submission queue entry has 64 bytes");
        }
    }

    static HostCommand withoutData(MemorySegment sqe) {
        return new HostCommand(sqe, Transfer.NONE, NO_DATA);
    }

    static MemorySegment entry(int opcode) {
        MemorySegment sqe = MemorySegment.ofArray(new byte[SQE_BYTES]);
        sqe.set(ValueLayout.JAVA_BYTE, OPCODE_OFFSET, (byte) opcode);
        return sqe;
    }

    static MemorySegment entry(int opcode, long nsid) {
        MemorySegment sqe = entry(opcode);
        sqe.set(LE32, NSID_OFFSET, (int) nsid);
        return sqe;
    }

    /** 0 to 255. */
    public int opcode() {
        return Byte.toUnsignedInt(sqe.get(ValueLayout.JAVA_BYTE, OPCODE_OFFSET));
    }

    public boolean isFabrics() {
        return opcode() == FABRICS_OPCODE;
    }
}
