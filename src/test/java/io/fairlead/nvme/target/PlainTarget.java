package io.fairlead.nvme.target;

import io.fairlead.nvme.target.DeviceQueue.Deallocation;
import io.fairlead.nvme.target.DeviceQueue.UnitAccess;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The least that can be called a target: reads, writes, flushes one device, and takes any fabrics command for granted. It lets tests of
 * a transport look at the transport alone.
 */
public final class PlainTarget implements TargetQueue {

    public static final int STATUS_INTERRUPTED = 0x21;
    public static final int STATUS_TRANSPORT_ERROR = 0x22;
    public static final int STATUS_INTERNAL = 0x06;
    public static final int STATUS_LBA_OUT_OF_RANGE = 0x80;

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final FabricTransport transport;
    private final PollGroup group;
    private final BlockDevice device;
    private final int depth;
    private final int sqhd;
    private boolean disconnected;

    public PlainTarget(FabricTransport transport, PollGroup group, BlockDevice device, int depth, int sqhd) {
        this.transport = transport;
        this.group = group;
        this.device = device;
        this.depth = depth;
        this.sqhd = sqhd;
    }

    @Override
    public void onCommand(FabricCommand command) {
        requireConnected();
        command.queue(this);
        int opcode = command.sqe().get(ValueLayout.JAVA_BYTE, 0) & 0xFF;
        if (block(command) < 0 || block(command) + blocks(command) > device.blockCount()) {
            complete(command, STATUS_LBA_OUT_OF_RANGE);
            return;
        }
        switch (opcode) {
            case 0x00 -> group.deviceQueue(device).flush(command);
            case 0x01 -> onWrite(command);
            case 0x02 -> {
                command.dataToHostBytes(bytes(command));
                if (transport.takeBuffer(command, bytes(command))) {
                    group.deviceQueue(device).read(command, block(command), blocks(command));
                } else {
                    complete(command, STATUS_INTERRUPTED);
                }
            }
            case 0x08 ->
                group.deviceQueue(device)
                        .writeZeroes(command, block(command), blocks(command), Deallocation.KEEP, UnitAccess.CACHED);
            case 0x09 -> transport.disconnect();
            default -> complete(command, 0);
        }
    }

    private void onWrite(FabricCommand command) {
        if (command.inCapsuleBytes() > 0 && command.inCapsuleBytes() != bytes(command)) {
            complete(command, STATUS_INTERNAL);
        } else if (command.inCapsuleBytes() > 0) {
            onData(command);
        } else if (transport.takeBuffer(command, bytes(command))) {
            command.dataBytes(bytes(command));
            transport.fetch(command);
        } else {
            complete(command, STATUS_INTERRUPTED);
        }
    }

    @Override
    public void onData(FabricCommand command) {
        requireConnected();
        group.deviceQueue(device).write(command, block(command), blocks(command), UnitAccess.CACHED);
    }

    @Override
    public void onDataLost(FabricCommand command, DataLoss loss) {
        requireConnected();
        complete(
                command,
                switch (loss) {
                    case DAMAGED -> STATUS_TRANSPORT_ERROR;
                    case NO_BUFFER -> STATUS_INTERRUPTED;
                });
    }

    @Override
    public void onDeviceDone(FabricCommand command, DeviceStatus status) {
        requireConnected();
        complete(command, status == DeviceStatus.OK ? 0 : STATUS_INTERNAL);
    }

    private void complete(FabricCommand command, int status) {
        if (status != 0) {
            command.dataToHostBytes(0);
        }
        command.cqe().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 0);
        command.cqe().set(U32, 8, sqhd);
        command.cqe().set(U16, 12, command.sqe().get(U16, 2));
        command.cqe().set(U16, 14, (short) (status << 1));
        transport.complete(command);
    }

    private long block(FabricCommand command) {
        return command.sqe().get(U32, 40);
    }

    private static int blocks(FabricCommand command) {
        return (command.sqe().get(U16, 48) & 0xFFFF) + 1;
    }

    private int bytes(FabricCommand command) {
        return blocks(command) * device.blockBytes();
    }

    @Override
    public void onDisconnect() {
        requireConnected();
        disconnected = true;
    }

    private void requireConnected() {
        if (disconnected) {
            throw new IllegalStateException("the transport called after onDisconnect");
        }
    }

    @Override
    public void onTick(long nowNanos) {
        requireConnected();
    }

    @Override
    public int depth() {
        return depth;
    }
}
