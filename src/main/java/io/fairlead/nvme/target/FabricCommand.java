package io.fairlead.nvme.target;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One command from its arrival to its completion. A transport makes as many as a queue is deep when the queue connects and uses them
 * again and again; nothing is allocated per command. Owned by the queue's poll group thread.
 */
public final class FabricCommand {

    /** Bytes of a submission queue entry (NVM Express Base 2.0, section 3.3.3.1). */
    public static final int SQE_BYTES = 64;

    /** Bytes of a completion queue entry (NVM Express Base 2.0, section 3.3.3.2). */
    public static final int CQE_BYTES = 16;

    private final int slot;
    private final MemorySegment sqe;
    private final MemorySegment cqe;
    private MemorySegment data = MemorySegment.NULL;
    private int inCapsuleBytes;
    private int dataBytes;
    private int dataToHostBytes;
    private Object transportContext;
    private TargetQueue queue;
    private int remainingParts;
    private DeviceStatus partsStatus = DeviceStatus.OK;

    public FabricCommand(int slot, Arena arena) {
        this.slot = slot;
        this.sqe = arena.allocate(SQE_BYTES, 64);
        this.cqe = arena.allocate(CQE_BYTES, 16);
    }

    /** The transport's number of this command, 0 up; dense. */
    public int slot() {
        return slot;
    }

    /** The submission queue entry, as it came. */
    public MemorySegment sqe() {
        return sqe;
    }

    /** The completion queue entry that the target fills. */
    public MemorySegment cqe() {
        return cqe;
    }

    /** The data buffer; {@link MemorySegment#NULL} while the command has none. */
    public MemorySegment data() {
        return data;
    }

    /** Set by the transport. */
    public void data(MemorySegment buffer) {
        this.data = buffer;
    }

    /** How many bytes of data came in the capsule; they are at the start of {@link #data()}. Set by the transport. */
    public int inCapsuleBytes() {
        return inCapsuleBytes;
    }

    public void inCapsuleBytes(int bytes) {
        this.inCapsuleBytes = bytes;
    }

    /** How many bytes of data the host sends with this command. Set by the target before {@link FabricTransport#fetch}. */
    public int dataBytes() {
        return dataBytes;
    }

    public void dataBytes(int bytes) {
        this.dataBytes = bytes;
    }

    /** How many bytes of data go to the host before the completion. Set by the target. */
    public int dataToHostBytes() {
        return dataToHostBytes;
    }

    public void dataToHostBytes(int bytes) {
        this.dataToHostBytes = bytes;
    }

    /** Whatever the transport keeps with a command. */
    public Object transportContext() {
        return transportContext;
    }

    public void transportContext(Object context) {
        this.transportContext = context;
    }

    /** The queue that works on this command; the way back from a device completion. */
    public TargetQueue queue() {
        return queue;
    }

    void queue(TargetQueue owner) {
        this.queue = owner;
    }

    int remainingParts() {
        return remainingParts;
    }

    void remainingParts(int parts) {
        this.remainingParts = parts;
    }

    DeviceStatus partsStatus() {
        return partsStatus;
    }

    void partsStatus(DeviceStatus status) {
        this.partsStatus = status;
    }

    /** Forgets the last use; the transport calls it before it fills the command anew. */
    public void reset() {
        data = MemorySegment.NULL;
        inCapsuleBytes = 0;
        dataBytes = 0;
        dataToHostBytes = 0;
        queue = null;
        remainingParts = 0;
        partsStatus = DeviceStatus.OK;
    }
}
