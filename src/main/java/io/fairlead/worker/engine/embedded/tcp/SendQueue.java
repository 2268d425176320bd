package io.fairlead.worker.engine.embedded.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;

/**
 * What a connection has yet to send, in order, each part from where it lies. A command is done with when its last part has been
 * taken by the socket. Used by the poll group's thread only.
 */
final class SendQueue {

    private ByteBuffer[] parts = new ByteBuffer[64];
    private TcpCommand[] endsCommand = new TcpCommand[64];
    private int first;
    private int end;
    private long pendingBytes;

    /** {@code command} is released when the part has been sent; null when the part ends no command. */
    void add(ByteBuffer part, TcpCommand command) {
        if (end == parts.length) {
            makeRoom();
        }
        parts[end] = part;
        endsCommand[end] = command;
        end++;
        pendingBytes += part.remaining();
    }

    private void makeRoom() {
        int count = end - first;
        if (first < parts.length / 2) {
            parts = Arrays.copyOf(parts, 2 * parts.length);
            endsCommand = Arrays.copyOf(endsCommand, parts.length);
        }
        System.arraycopy(parts, first, parts, 0, count);
        System.arraycopy(endsCommand, first, endsCommand, 0, count);
        first = 0;
        end = count;
    }

    boolean isEmpty() {
        return first == end;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    /** Sends as much as the socket takes; returns how many bytes. */
    long flush(GatheringByteChannel channel, CommandSlots slots) throws IOException {
        long total = 0;
        while (first < end) {
            long sent = channel.write(parts, first, end - first);
            if (sent == 0) {
                break;
            }
            total += sent;
            pendingBytes -= sent;
            dropSent(slots);
        }
        return total;
    }

    private void dropSent(CommandSlots slots) {
        while (first < end && !parts[first].hasRemaining()) {
            finish(slots);
        }
        if (first == end) {
            first = 0;
            end = 0;
        }
    }

    /** The connection is gone: nothing more will be sent. */
    void clear(CommandSlots slots) {
        while (first < end) {
            finish(slots);
        }
        first = 0;
        end = 0;
        pendingBytes = 0;
    }

    private void finish(CommandSlots slots) {
        TcpCommand command = endsCommand[first];
        parts[first] = null;
        endsCommand[first] = null;
        first++;
        if (command != null) {
            slots.release(command);
        }
    }
}
