package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.LittleEndian.u16;
import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u64;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import java.lang.foreign.MemorySegment;

/** Submission queue entry (NVM Express Base 2.0, section 3.3.3.1), with the one SGL descriptor that it holds on a fabric. */
public final class SubmissionEntry {

    public static final int BYTES = 64;

    public static final int OPCODE_OFFSET = 0;
    public static final int FLAGS_OFFSET = 1;
    public static final int CID_OFFSET = 2;
    public static final int NSID_OFFSET = 4;
    /** Of Fabrics commands, in place of NSID. */
    public static final int FCTYPE_OFFSET = 4;

    public static final int SGL_ADDRESS_OFFSET = 24;
    public static final int SGL_LENGTH_OFFSET = 32;
    public static final int SGL_TYPE_OFFSET = 39;
    public static final int DW10_OFFSET = 40;

    /** SGL Data Block descriptor, address is an offset into the capsule (section 4.1.2). */
    public static final int SGL_IN_CAPSULE = 0x01;
    /** Transport SGL Data Block descriptor. */
    public static final int SGL_TRANSPORT = 0x5A;
    /** Keyed SGL Data Block descriptors (RDMA), by their type alone. */
    public static final int SGL_KEYED_TYPE = 0x4;

    private static final int FUSE_MASK = 0b11;
    private static final int PSDT_SHIFT = 6;
    private static final int PSDT_SGL = 0b01;

    private SubmissionEntry() {}

    public static int opcode(MemorySegment sqe) {
        return u8(sqe, OPCODE_OFFSET);
    }

    /** FUSE: not 0 for one half of a fused command. */
    public static int fuse(MemorySegment sqe) {
        return u8(sqe, FLAGS_OFFSET) & FUSE_MASK;
    }

    /** PSDT: whether the data pointer is an SGL descriptor and metadata, if any, a plain buffer, as it is on every fabric. */
    public static boolean hasSgl(MemorySegment sqe) {
        return u8(sqe, FLAGS_OFFSET) >>> PSDT_SHIFT == PSDT_SGL;
    }

    public static int cid(MemorySegment sqe) {
        return u16(sqe, CID_OFFSET);
    }

    public static long nsid(MemorySegment sqe) {
        return u32(sqe, NSID_OFFSET);
    }

    public static int fabricsType(MemorySegment sqe) {
        return u8(sqe, FCTYPE_OFFSET);
    }

    public static long sglAddress(MemorySegment sqe) {
        return u64(sqe, SGL_ADDRESS_OFFSET);
    }

    public static int sglType(MemorySegment sqe) {
        return u8(sqe, SGL_TYPE_OFFSET);
    }

    /** How many bytes the SGL describes; a keyed descriptor has 24 bits for it. */
    public static long sglLength(MemorySegment sqe) {
        long length = u32(sqe, SGL_LENGTH_OFFSET);
        return sglType(sqe) >>> 4 == SGL_KEYED_TYPE ? length & 0xFF_FFFF : length;
    }

    /** Command Dword 10 to 15. */
    public static long dword(MemorySegment sqe, int number) {
        return u32(sqe, DW10_OFFSET + 4L * (number - 10));
    }

    /** First logical block of Read, Write and Write Zeroes (NVM Command Set 1.0, section 3.2). */
    public static long startingLba(MemorySegment sqe) {
        return u64(sqe, DW10_OFFSET);
    }

    /** How many logical blocks; 1 to 65536. */
    public static int blocks(MemorySegment sqe) {
        return (int) (dword(sqe, 12) & 0xFFFF) + 1;
    }

    public static boolean forceUnitAccess(MemorySegment sqe) {
        return (dword(sqe, 12) & 1L << 30) != 0;
    }

    /** DEAC of Write Zeroes. */
    public static boolean mayDeallocate(MemorySegment sqe) {
        return (dword(sqe, 12) & 1L << 25) != 0;
    }
}
