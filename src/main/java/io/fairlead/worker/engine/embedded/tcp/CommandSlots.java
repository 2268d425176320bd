package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.FabricCommand;
import io.fairlead.nvme.tcp.WireBuffer;
import java.lang.foreign.Arena;
import java.util.Arrays;

/** The commands of one connection: made when first needed, as many as the queue is deep. Used by the poll group's thread only. */
final class CommandSlots {

    private static final int STEP = 16;

    private final TcpConnection connection;
    private final BufferPool pool;
    private final Arena arena = Arena.ofAuto();
    private TcpCommand[] commands = new TcpCommand[STEP];
    private TcpCommand[] free = new TcpCommand[STEP];
    private int made;
    private int freeCount;
    private WireBuffer slab;

    CommandSlots(TcpConnection connection, BufferPool pool) {
        this.connection = connection;
        this.pool = pool;
    }

    /** A free command, or null when {@code depth} are in use. */
    TcpCommand take(int depth) {
        if (freeCount == 0) {
            if (made >= depth) {
                return null;
            }
            make();
        }
        TcpCommand command = free[--freeCount];
        command.holder = TcpCommand.Holder.TARGET;
        command.fabric.reset();
        return command;
    }

    private void make() {
        if (made == commands.length) {
            commands = Arrays.copyOf(commands, 2 * made);
            free = Arrays.copyOf(free, 2 * made);
        }
        if (made % STEP == 0) {
            slab = WireBuffer.allocate(STEP * TcpCommand.HEADERS_BYTES);
        }
        WireBuffer headers = slab.slice(made % STEP * TcpCommand.HEADERS_BYTES, TcpCommand.HEADERS_BYTES);
        TcpCommand command = new TcpCommand(new FabricCommand(made, arena), connection, headers);
        commands[made++] = command;
        free[freeCount++] = command;
    }

    /** Gives the command and its buffer back. */
    void release(TcpCommand command) {
        if (command.holder == TcpCommand.Holder.NOBODY) {
            throw new IllegalStateException("the command was released twice");
        }
        command.holder = TcpCommand.Holder.NOBODY;
        command.loss = null;
        if (command.buffer != null) {
            pool.give(command.buffer);
            command.buffer = null;
        }
        free[freeCount++] = command;
    }

    TcpCommand get(int slot) {
        return commands[slot];
    }

    int made() {
        return made;
    }

    int inUse() {
        return made - freeCount;
    }
}
