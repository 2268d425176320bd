package io.fairlead.nvme.target;

import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u64;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.IoOpcode;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;
import io.fairlead.nvme.target.DeviceQueue.Deallocation;
import io.fairlead.nvme.target.DeviceQueue.UnitAccess;
import io.fairlead.nvme.wire.SubmissionEntry;
import java.lang.foreign.MemorySegment;

/**
 * An I/O queue: NVM Command Set 1.0, section 3.2. Owned by the queue's poll group. Nothing here allocates per command: the table of
 * namespaces is made anew only when the subsystem's model was replaced.
 */
final class IoCommands {

    private static final int DSM_RANGE_BYTES = 16;
    private static final int DSM_LENGTH_OFFSET = 4;
    private static final int DSM_BLOCK_OFFSET = 8;
    private static final long DSM_DEALLOCATE = 1 << 2;
    private static final Access[] NONE = {};

    private final FabricQueue queue;
    private final Controller controller;
    private final IoCounters counters;
    private SubsystemModel seen;
    private Access[] accesses = NONE;

    /** A namespace as this queue reaches it. */
    private record Access(NamespaceModel namespace, DeviceQueue device, AnaState state, int blockShift) {}

    IoCommands(FabricQueue queue, Controller controller, IoCounters counters) {
        this.queue = queue;
        this.controller = controller;
        this.counters = counters;
    }

    void work(FabricCommand command) {
        MemorySegment sqe = command.sqe();
        Access access = access(SubmissionEntry.nsid(sqe));
        int opcode = SubmissionEntry.opcode(sqe);
        if (SubmissionEntry.fuse(sqe) != 0 || !SubmissionEntry.hasSgl(sqe)) {
            refuse(command, StatusCode.INVALID_FIELD);
        } else if (!isKnown(opcode)) {
            refuse(command, StatusCode.INVALID_COMMAND_OPCODE);
        } else if (access == null) {
            refuse(command, StatusCode.INVALID_NAMESPACE);
        } else if (!access.state().servesIo()) {
            queue.fail(command, status(access.state()), Retry.ALLOWED);
        } else {
            work(command, opcode, access);
        }
    }

    private void work(FabricCommand command, int opcode, Access access) {
        switch (opcode) {
            case IoOpcode.READ -> read(command, access);
            case IoOpcode.WRITE -> write(command, access);
            case IoOpcode.FLUSH -> access.device().flush(command);
            case IoOpcode.WRITE_ZEROES -> writeZeroes(command, access);
            case IoOpcode.DATASET_MANAGEMENT -> manageDataset(command, access);
            default -> throw new IllegalStateException("isKnown lied about " + opcode);
        }
    }

    private static boolean isKnown(int opcode) {
        return opcode <= IoOpcode.READ || opcode == IoOpcode.WRITE_ZEROES || opcode == IoOpcode.DATASET_MANAGEMENT;
    }

    private static StatusCode status(AnaState state) {
        return switch (state) {
            case INACCESSIBLE -> StatusCode.ANA_INACCESSIBLE;
            case PERSISTENT_LOSS -> StatusCode.ANA_PERSISTENT_LOSS;
            case CHANGE -> StatusCode.ANA_TRANSITION;
            case OPTIMIZED, NON_OPTIMIZED -> StatusCode.SUCCESS;
        };
    }

    /** Null for a namespace that is not there. */
    private Access access(long nsid) {
        SubsystemModel now = controller.subsystem().model();
        if (now != seen) {
            accesses = accessesOf(now);
            seen = now;
        }
        return nsid > 0 && nsid < accesses.length ? accesses[(int) nsid] : null;
    }

    private Access[] accessesOf(SubsystemModel model) {
        if (model.namespaces().isEmpty()) {
            return NONE;
        }
        Access[] table = new Access[model.namespaces().lastKey() + 1];
        for (NamespaceModel namespace : model.namespaces().values()) {
            table[namespace.nsid()] = new Access(
                    namespace,
                    queue.group().deviceQueue(namespace.device()),
                    model.anaState(controller.listener(), namespace.anaGroup()),
                    Integer.numberOfTrailingZeros(namespace.device().blockBytes()));
        }
        return table;
    }

    private void read(FabricCommand command, Access access) {
        MemorySegment sqe = command.sqe();
        int blocks = SubmissionEntry.blocks(sqe);
        int bytes = blocks << access.blockShift();
        if (!isInRange(command, access, SubmissionEntry.startingLba(sqe), blocks) || !isTransferable(command, bytes)) {
            return;
        }
        if (!FabricQueue.isTransportSgl(sqe)) {
            refuse(command, StatusCode.SGL_DESCRIPTOR_TYPE_INVALID);
        } else if (!queue.takeBuffer(command, bytes)) {
            queue.fail(command, StatusCode.COMMAND_INTERRUPTED, Retry.ALLOWED);
        } else {
            command.dataToHostBytes(bytes);
            counters.onRead(bytes);
            access.device().read(command, SubmissionEntry.startingLba(sqe), blocks);
        }
    }

    private void write(FabricCommand command, Access access) {
        MemorySegment sqe = command.sqe();
        int blocks = SubmissionEntry.blocks(sqe);
        int bytes = blocks << access.blockShift();
        if (!isInRange(command, access, SubmissionEntry.startingLba(sqe), blocks)
                || !isTransferable(command, bytes)
                || !hasHostData(command, bytes)) {
            return;
        }
        counters.onWrite(bytes);
        access.device().write(command, SubmissionEntry.startingLba(sqe), blocks, unitAccess(sqe, access));
    }

    private void writeZeroes(FabricCommand command, Access access) {
        MemorySegment sqe = command.sqe();
        int blocks = SubmissionEntry.blocks(sqe);
        if (isInRange(command, access, SubmissionEntry.startingLba(sqe), blocks)) {
            counters.onWrite(0);
            access.device()
                    .writeZeroes(
                            command,
                            SubmissionEntry.startingLba(sqe),
                            blocks,
                            SubmissionEntry.mayDeallocate(sqe) ? Deallocation.MAY_DEALLOCATE : Deallocation.KEEP,
                            unitAccess(sqe, access));
        }
    }

    /** A host without a write cache, by its own wish or because it was told of none, is promised stable media with each write. */
    private UnitAccess unitAccess(MemorySegment sqe, Access access) {
        boolean mayBeCached =
                controller.writeCacheEnabled() || !access.namespace().device().hasVolatileWriteCache();
        return SubmissionEntry.forceUnitAccess(sqe) || !mayBeCached ? UnitAccess.FORCED : UnitAccess.CACHED;
    }

    /** Linux sends a whole page whatever the number of ranges; the number counts. */
    private void manageDataset(FabricCommand command, Access access) {
        MemorySegment sqe = command.sqe();
        int ranges = (int) (SubmissionEntry.dword(sqe, 10) & 0xFF) + 1;
        long described = SubmissionEntry.sglLength(sqe);
        if (described < (long) ranges * DSM_RANGE_BYTES
                || described > queue.settings().transferBytesMax()) {
            refuse(command, StatusCode.DATA_SGL_LENGTH_INVALID);
            return;
        }
        if (!hasHostData(command, (int) described)) {
            return;
        }
        if ((SubmissionEntry.dword(sqe, 11) & DSM_DEALLOCATE) == 0) {
            // Hints about access are taken note of by doing nothing.
            queue.complete(command, 0);
            return;
        }
        MemorySegment list = command.data();
        for (int i = 0; i < ranges; i++) {
            if (!isInRange(command, access, rangeBlock(list, i), rangeBlocks(list, i))) {
                return;
            }
        }
        command.remainingParts(ranges);
        for (int i = 0; i < ranges; i++) {
            access.device().deallocate(command, rangeBlock(list, i), rangeBlocks(list, i));
        }
    }

    private static long rangeBlock(MemorySegment list, int range) {
        return u64(list, (long) range * DSM_RANGE_BYTES + DSM_BLOCK_OFFSET);
    }

    private static long rangeBlocks(MemorySegment list, int range) {
        return u32(list, (long) range * DSM_RANGE_BYTES + DSM_LENGTH_OFFSET);
    }

    /** Whether the range is on the device; if not, the command was completed. Neither bound overflows: both are checked unsigned. */
    private boolean isInRange(FabricCommand command, Access access, long block, long blocks) {
        long count = access.namespace().device().blockCount();
        if (block >= 0 && blocks <= count && block <= count - blocks) {
            return true;
        }
        refuse(command, StatusCode.LBA_OUT_OF_RANGE);
        return false;
    }

    /** Whether a transfer of this size is within MDTS and is what the descriptor says; if not, the command was completed. */
    private boolean isTransferable(FabricCommand command, int bytes) {
        if (bytes > queue.settings().transferBytesMax()) {
            refuse(command, StatusCode.INVALID_FIELD);
            return false;
        }
        if (SubmissionEntry.sglLength(command.sqe()) != bytes) {
            refuse(command, StatusCode.DATA_SGL_LENGTH_INVALID);
            return false;
        }
        return true;
    }

    /** Like {@link FabricQueue#hasHostData}, but without an exception to allocate. */
    private boolean hasHostData(FabricCommand command, int bytes) {
        if (queue.isDataHere()) {
            return true;
        }
        MemorySegment sqe = command.sqe();
        if (SubmissionEntry.sglType(sqe) == SubmissionEntry.SGL_IN_CAPSULE) {
            if (SubmissionEntry.sglAddress(sqe) != 0) {
                refuse(command, StatusCode.SGL_OFFSET_INVALID);
                return false;
            }
            if (command.inCapsuleBytes() < bytes) {
                refuse(command, StatusCode.DATA_SGL_LENGTH_INVALID);
                return false;
            }
            return true;
        }
        if (!FabricQueue.isTransportSgl(sqe)) {
            refuse(command, StatusCode.SGL_DESCRIPTOR_TYPE_INVALID);
        } else if (!queue.takeBuffer(command, bytes)) {
            queue.fail(command, StatusCode.COMMAND_INTERRUPTED, Retry.ALLOWED);
        } else {
            command.dataBytes(bytes);
            queue.fetch(command);
        }
        return false;
    }

    void onDeviceDone(FabricCommand command, DeviceStatus status) {
        if (command.remainingParts() > 0) {
            if (status != DeviceStatus.OK) {
                command.partsStatus(status);
            }
            command.remainingParts(command.remainingParts() - 1);
            if (command.remainingParts() > 0) {
                return;
            }
            finish(command, command.partsStatus());
            return;
        }
        finish(command, status);
    }

    private void finish(FabricCommand command, DeviceStatus status) {
        switch (status) {
            case OK -> queue.complete(command, 0);
            case READ_ERROR -> queue.fail(command, StatusCode.UNRECOVERED_READ_ERROR, Retry.ALLOWED);
            case WRITE_FAULT -> queue.fail(command, StatusCode.WRITE_FAULT, Retry.ALLOWED);
            case NO_SPACE -> queue.fail(command, StatusCode.CAPACITY_EXCEEDED, Retry.NEVER);
            case GONE -> queue.fail(command, StatusCode.INTERNAL_PATH_ERROR, Retry.ALLOWED);
            case UNSUPPORTED -> queue.fail(command, StatusCode.INVALID_COMMAND_OPCODE, Retry.NEVER);
        }
    }

    private void refuse(FabricCommand command, StatusCode status) {
        queue.fail(command, status, Retry.NEVER);
    }
}
