package io.fairlead.worker.volume.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/**
 * Allocates space by writing zeros to all of it. This is slower than asking the file system to reserve it, and it is certain: blocks
 * that were written once are there, on every file system, and a later write to them does not have to allocate.
 */
@FunctionalInterface
interface Zeroing {

    /** Writes zeros from {@code from} up to {@code to} and waits until they are on stable media; tells how far it is. */
    void zero(FileChannel channel, long from, long to, LongConsumer progress) throws IOException;

    int CHUNK_BYTES = 1 << 20;

    Zeroing BY_WRITING = (channel, from, to, progress) -> {
        ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES);
        long position = from;
        while (position < to) {
            zeros.clear();
            zeros.limit((int) Math.min(CHUNK_BYTES, to - position));
            position += channel.write(zeros, position);
            progress.accept(position - from);
        }
        channel.force(true);
    };
}
