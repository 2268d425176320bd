package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.DWORD_10_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.DWORD_11_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.DWORD_12_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.DWORD_13_OFFSET;
import static io.fairlead.nvme.initiator.HostCommand.LE32;

import io.fairlead.nvme.initiator.HostCommand.Transfer;
import java.lang.foreign.MemorySegment;

/** Admin commands (NVM Express Base 2.0, section 5). */
public final class AdminCommands {

    static final int GET_LOG_PAGE = 0x02;
    static final int IDENTIFY = 0x06;
    static final int SET_FEATURES = 0x09;
    static final int ASYNCHRONOUS_EVENT_REQUEST = 0x0C;
    static final int KEEP_ALIVE = 0x18;

    /** Bytes of every Identify data structure. */
    public static final int IDENTIFY_BYTES = 4096;

    static final int CNS_NAMESPACE = 0x00;
    static final int CNS_CONTROLLER = 0x01;
    static final int CNS_ACTIVE_NAMESPACES = 0x02;
    static final int CNS_DESCRIPTORS = 0x03;

    static final int LOG_DISCOVERY = 0x70;
    public static final int LOG_CHANGED_NAMESPACES = 0x04;
    public static final int LOG_ANA = 0x0C;

    static final int FEATURE_NUMBER_OF_QUEUES = 0x07;
    static final int FEATURE_EVENTS = 0x0B;

    /** For log pages that concern the controller. */
    static final long ALL_NAMESPACES = 0xFFFF_FFFFL;

    private AdminCommands() {}

    static HostCommand identify(int cns, long nsid, MemorySegment data) {
        MemorySegment sqe = HostCommand.entry(IDENTIFY, nsid);
        sqe.set(LE32, DWORD_10_OFFSET, cns);
        return new HostCommand(sqe, Transfer.TO_HOST, data);
    }

    /** Get Log Page from an offset; the segment's size, a multiple of 4, is how much. */
    static HostCommand getLogPage(int page, long nsid, long offset, MemorySegment data) {
        long dwords = data.byteSize() / Integer.BYTES - 1;
        MemorySegment sqe = HostCommand.entry(GET_LOG_PAGE, nsid);
        sqe.set(LE32, DWORD_10_OFFSET, page | (int) (dwords & 0xFFFF) << 16);
        sqe.set(LE32, DWORD_11_OFFSET, (int) (dwords >>> 16));
        sqe.set(LE32, DWORD_12_OFFSET, (int) offset);
        sqe.set(LE32, DWORD_13_OFFSET, (int) (offset >>> 32));
        return new HostCommand(sqe, Transfer.TO_HOST, data);
    }

    static HostCommand setNumberOfQueues(int queues) {
        MemorySegment sqe = HostCommand.entry(SET_FEATURES);
        sqe.set(LE32, DWORD_10_OFFSET, FEATURE_NUMBER_OF_QUEUES);
        sqe.set(LE32, DWORD_11_OFFSET, (queues - 1) | (queues - 1) << 16);
        return HostCommand.withoutData(sqe);
    }

    static HostCommand setEvents(int mask) {
        MemorySegment sqe = HostCommand.entry(SET_FEATURES);
        sqe.set(LE32, DWORD_10_OFFSET, FEATURE_EVENTS);
        sqe.set(LE32, DWORD_11_OFFSET, mask);
        return HostCommand.withoutData(sqe);
    }

    /** Completes only when there is something to tell. */
    public static HostCommand asynchronousEventRequest() {
        return HostCommand.withoutData(HostCommand.entry(ASYNCHRONOUS_EVENT_REQUEST));
    }

    public static HostCommand keepAlive() {
        return HostCommand.withoutData(HostCommand.entry(KEEP_ALIVE));
    }
}
