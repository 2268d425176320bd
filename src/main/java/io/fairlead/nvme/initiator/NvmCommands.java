package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.DWORD_10_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.DWORD_11_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.DWORD_12_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static io.fairlead.nvme.initiator.HostCommand.LE64;

import io.fairlead.nvme.initiator.HostCommand.Transfer;
import java.lang.foreign.MemorySegment;

/** Commands of the NVM command set (NVM Command Set 1.0, section 3.2). */
public final class NvmCommands {

    static final int FLUSH = 0x00;
    static final int WRITE = 0x01;
    static final int READ = 0x02;
    static final int WRITE_ZEROES = 0x08;
    static final int DATASET_MANAGEMENT = 0x09;

    /** NLB is 16 bits and counts from 0. */
    public static final int BLOCKS_MAX = 1 << 16;

    private static final int FORCE_UNIT_ACCESS = 1 << 30;
    private static final int DEALLOCATE = 1 << 2;
    /** DSM takes whole pages of ranges from some hosts; this one sends the one range it has. */
    private static final int RANGE_BYTES = 16;

    /** Whether a write may stay in a volatile cache. */
    public enum Durability {
        CACHED,
        FORCED
    }

    private NvmCommands() {}

    /** Reads as many blocks as the segment holds. */
    public static HostCommand read(long nsid, long lba, int lbaBytes, MemorySegment data) {
        return new HostCommand(range(READ, nsid, lba, blocks(data, lbaBytes), 0), Transfer.TO_HOST, data);
    }

    /** Writes as many blocks as the segment holds. */
    public static HostCommand write(long nsid, long lba, int lbaBytes, MemorySegment data, Durability durability) {
        int control = durability == Durability.FORCED ? FORCE_UNIT_ACCESS : 0;
        return new HostCommand(range(WRITE, nsid, lba, blocks(data, lbaBytes), control), Transfer.TO_CONTROLLER, data);
    }

    public static HostCommand flush(long nsid) {
        return HostCommand.withoutData(HostCommand.entry(FLUSH, nsid));
    }

    public static HostCommand writeZeroes(long nsid, long lba, int blocks) {
        return HostCommand.withoutData(range(WRITE_ZEROES, nsid, lba, blocks, 0));
    }

    /** Dataset Management that deallocates one range. */
    public static HostCommand deallocate(long nsid, long lba, int blocks) {
        MemorySegment sqe = HostCommand.entry(DATASET_MANAGEMENT, nsid);
        sqe.set(LE32, DWORD_10_OFFSET, 0);
        sqe.set(LE32, DWORD_11_OFFSET, DEALLOCATE);
        MemorySegment ranges = MemorySegment.ofArray(new byte[RANGE_BYTES]);
        ranges.set(LE32, 4, blocks);
        ranges.set(LE64, 8, lba);
        return new HostCommand(sqe, Transfer.TO_CONTROLLER, ranges);
    }

    private static int blocks(MemorySegment data, int lbaBytes) {
        if (data.byteSize() == 0 || data.byteSize() % lbaBytes != 0) {
            throw new IllegalArgumentException("the data is not a whole number of blocks");
        }
        return Math.toIntExact(data.byteSize() / lbaBytes);
    }

    private static MemorySegment range(int opcode, long nsid, long lba, int blocks, int control) {
        if (blocks < 1 || blocks > BLOCKS_MAX || lba < 0) {
            throw new IllegalArgumentException("no such range of blocks");
        }
        MemorySegment sqe = HostCommand.entry(opcode, nsid);
        sqe.set(LE64, DWORD_10_OFFSET, lba);
        sqe.set(LE32, DWORD_12_OFFSET, (blocks - 1) | control);
        return sqe;
    }
}
