package io.fairlead.worker.engine.embedded.device;

import com.sun.nio.file.ExtendedOpenOption;
import io.fairlead.nvme.target.DeviceCompletion;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A namespace's data in a regular file or on a raw block device. Thread-safe; the I/O happens on the threads of its queues.
 *
 * <p>The identity is that of the open file. When the path no longer leads to it (deleted, replaced, truncated below its size), the
 * device is gone for good: writes to an unlinked file would be acknowledged and lost. Block devices are opened past the page cache
 * where the alignment allows it; regular files go through the page cache. Either way a volatile write cache is advertised, and Flush
 * and FUA end in {@code fdatasync}. A flush that failed once condemns the device, because the kernel forgets after telling once.
 */
public final class FileDevice implements WakingDevice, AutoCloseable {

    /** How the file is open. */
    public enum Caching {
        PAGE_CACHE,
        DIRECT
    }

    private static final long PRESENCE_CHECK_NANOS = 200_000_000;
    private static final int ZERO_BYTES = 1 << 20;
    private static final int ALIGNMENT_BYTES = 4096;
    private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(ZERO_BYTES + ALIGNMENT_BYTES)
            .alignedSlice(ALIGNMENT_BYTES)
            .limit(ZERO_BYTES)
            .slice();

    private final Path path;
    private final FileChannel channel;
    private final Object fileKey;
    private final Caching caching;
    private final String cachingReason;
    private final int blockBytes;
    private volatile long blockCount;
    private volatile DeviceStatus condemned = DeviceStatus.OK;
    private volatile long checkedNanos;

    /** Users of the channel: one for the device until it is closed, one for each I/O thread. */
    private final AtomicInteger users = new AtomicInteger(1);

    private volatile boolean closed;

    private record Opened(FileChannel channel, Caching caching, String reason) {}

    private FileDevice(Path path, Opened opened, Object fileKey, int blockBytes, long sizeBytes) {
        this.path = path;
        this.channel = opened.channel;
        this.caching = opened.caching;
        this.cachingReason = opened.reason;
        this.fileKey = fileKey;
        this.blockBytes = blockBytes;
        this.blockCount = sizeBytes / blockBytes;
    }

    /**
     * Opens what the path leads to now.
     *
     * @param sizeBytes how much of it is served; at least that much must be there
     * @throws NoSuchFileException when nothing is there
     * @throws DeviceTooSmallException when it is smaller than {@code sizeBytes}
     */
    public static FileDevice open(Path path, int blockBytes, long sizeBytes) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new FileSystemException(path.toString(), null, "is a directory");
        }
        Opened opened = attributes.isOther() ? openBlockDevice(path, blockBytes) : openFile(path);
        try {
            requireSize(path, opened.channel.size(), sizeBytes);
            return new FileDevice(path, opened, attributes.fileKey(), blockBytes, sizeBytes);
        } catch (IOException | RuntimeException e) {
            opened.channel.close();
            throw e;
        }
    }

    /** For media that tell no size, as {@code /dev/full} in tests. */
    static FileDevice openUnchecked(Path path, int blockBytes, long sizeBytes) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return new FileDevice(path, openFile(path), key, blockBytes, sizeBytes);
    }

    private static Opened openFile(Path path) throws IOException {
        return new Opened(
                FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE),
                Caching.PAGE_CACHE,
                "a regular file");
    }

    private static Opened openBlockDevice(Path path, int blockBytes) throws IOException {
        if (blockBytes % ALIGNMENT_BYTES != 0) {
            return new Opened(openFile(path).channel, Caching.PAGE_CACHE, "its block size is below 4096");
        }
        try {
            FileChannel direct = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT);
            return new Opened(direct, Caching.DIRECT, "a block device");
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            return new Opened(openFile(path).channel, Caching.PAGE_CACHE, "direct I/O was refused: " + e.getMessage());
        }
    }

    private static void requireSize(Path path, long presentBytes, long wantedBytes) throws DeviceTooSmallException {
        if (presentBytes < wantedBytes) {
            throw new DeviceTooSmallException(path, presentBytes, wantedBytes);
        }
    }

    @Override
    public int blockBytes() {
        return blockBytes;
    }

    @Override
    public long blockCount() {
        return blockCount;
    }

    @Override
    public boolean hasVolatileWriteCache() {
        return true;
    }

    public Path path() {
        return path;
    }

    public Caching caching() {
        return caching;
    }

    /** Why {@link #caching()} is what it is. */
    public String cachingReason() {
        return cachingReason;
    }

    public long sizeBytes() {
        return blockCount * blockBytes;
    }

    /**
     * Serves more of the file, which must have grown already.
     *
     * @throws DeviceTooSmallException when it has not
     */
    public void grow(long sizeBytes) throws IOException {
        requireSize(path, channel.size(), sizeBytes);
        blockCount = Math.max(blockCount, sizeBytes / blockBytes);
    }

    /** Why this device serves no longer, or empty while it does. Looks at the path now. */
    public Optional<DeviceStatus> failure() {
        if (condemned == DeviceStatus.OK && !isWhereItWas()) {
            condemned = DeviceStatus.GONE;
        }
        return condemned == DeviceStatus.OK ? Optional.empty() : Optional.of(condemned);
    }

    /** What {@link #failure()} found last, without looking again. */
    DeviceStatus knownFailure() {
        return condemned;
    }

    private boolean isWhereItWas() {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            boolean same = fileKey == null || fileKey.equals(now.fileKey());
            return same && (!now.isRegularFile() || now.size() >= sizeBytes());
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public DeviceQueue openQueue(DeviceCompletion completion, Runnable wakeUp) {
        FileDeviceQueue queue = new FileDeviceQueue(this, completion, wakeUp);
        if (closed) {
            // A command that began before its namespace was removed: it ends as gone.
            queue.close();
        }
        return queue;
    }

    /** Closes the file once the last I/O thread has left it; does not wait for a hung medium. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            leave();
        }
    }

    /** An I/O thread starts to use the file. */
    void enter() {
        users.incrementAndGet();
    }

    /** An I/O thread, or the owner, will not use the file again. */
    void leave() throws IOException {
        if (users.decrementAndGet() == 0) {
            channel.close();
        }
    }

    /** Does one operation, on an I/O thread. */
    void perform(FileOperation operation, long nowNanos) {
        if (nowNanos - checkedNanos > PRESENCE_CHECK_NANOS) {
            checkedNanos = nowNanos;
            failure();
        }
        operation.status = condemned;
        if (operation.status != DeviceStatus.OK) {
            return;
        }
        operation.status = switch (operation.kind) {
            case READ -> read(operation);
            case WRITE -> write(operation);
            case FLUSH -> force();
            case WRITE_ZEROES -> writeZeroes(operation);
        };
    }

    private DeviceStatus read(FileOperation operation) {
        ByteBuffer data = dataOf(operation);
        try {
            while (data.hasRemaining()) {
                if (channel.read(data, operation.position + data.position()) < 0) {
                    return failure().orElse(DeviceStatus.READ_ERROR);
                }
            }
            return DeviceStatus.OK;
        } catch (IOException e) {
            return failure().orElse(DeviceStatus.READ_ERROR);
        }
    }

    private DeviceStatus write(FileOperation operation) {
        try {
            writeFully(dataOf(operation), operation.position);
        } catch (IOException e) {
            return writeFailure(e, operation.bytes);
        }
        return forced(operation);
    }

    private DeviceStatus writeZeroes(FileOperation operation) {
        ByteBuffer zeroes = ZEROES.duplicate();
        long position = operation.position;
        long end = position + operation.bytes;
        try {
            while (position < end) {
                zeroes.clear().limit((int) Math.min(ZERO_BYTES, end - position));
                int length = zeroes.remaining();
                writeFully(zeroes, position);
                position += length;
            }
        } catch (IOException e) {
            return writeFailure(e, end - position);
        }
        return forced(operation);
    }

    private static ByteBuffer dataOf(FileOperation operation) {
        return operation.command.data().asByteBuffer().limit((int) operation.bytes);
    }

    private void writeFully(ByteBuffer data, long position) throws IOException {
        while (data.hasRemaining()) {
            channel.write(data, position + data.position());
        }
    }

    private DeviceStatus writeFailure(IOException cause, long bytes) {
        if (isFull(cause, bytes)) {
            return DeviceStatus.NO_SPACE;
        }
        return failure().orElse(DeviceStatus.WRITE_FAULT);
    }

    /** The error number is not to be had from an {@link IOException}: its text is asked first, then the filesystem. */
    private boolean isFull(IOException cause, long bytes) {
        String text = String.valueOf(cause.getMessage());
        if (text.contains("No space left") || text.contains("quota exceeded")) {
            return true;
        }
        try {
            return Files.isRegularFile(path) && Files.getFileStore(path).getUsableSpace() < bytes;
        } catch (IOException e) {
            return false;
        }
    }

    private DeviceStatus forced(FileOperation operation) {
        return switch (operation.access) {
            case CACHED -> DeviceStatus.OK;
            case FORCED -> force();
        };
    }

    private DeviceStatus force() {
        try {
            channel.force(false);
            return DeviceStatus.OK;
        } catch (IOException e) {
            condemned = failure().orElse(DeviceStatus.WRITE_FAULT);
            return condemned;
        }
    }
}
