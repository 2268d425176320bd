package io.fairlead.worker.engine.nvmet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Passes the kernel log on, record by record, on a thread of its own. Each read of {@code /dev/kmsg} is one record. */
final class KernelLogReader implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(KernelLogReader.class.getName());

    /** No record is longer (Linux, CONSOLE_EXT_LOG_MAX). */
    private static final int RECORD_BYTES_MAX = 8192;

    private final FileChannel channel;
    private final Thread thread;

    private KernelLogReader(FileChannel channel, KernelLog log) {
        this.channel = channel;
        this.thread = Thread.ofPlatform().daemon().name("kernel-log").unstarted(() -> read(log));
    }

    static KernelLogReader start(Path device, KernelLog log) throws IOException {
        KernelLogReader reader = new KernelLogReader(FileChannel.open(device, StandardOpenOption.READ), log);
        reader.thread.start();
        return reader;
    }

    private void read(KernelLog log) {
        ByteBuffer buffer = ByteBuffer.allocate(RECORD_BYTES_MAX);
        while (true) {
            buffer.clear();
            try {
                if (channel.read(buffer) <= 0) {
                    return;
                }
                log.accept(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
            } catch (AsynchronousCloseException e) {
                // The engine is being closed.
                return;
            } catch (IOException e) {
                if (e.getMessage() == null || !e.getMessage().contains("Broken pipe")) {
                    LOG.log(System.Logger.Level.WARNING, "event=kernel-log-ended refusals are no longer explained", e);
                    return;
                }
                // EPIPE: records were overwritten before they were read; the next read goes on behind them.
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
