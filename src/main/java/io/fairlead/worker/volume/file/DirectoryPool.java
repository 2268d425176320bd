package io.fairlead.worker.volume.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fairlead.contract.DesiredVolume;
import io.fairlead.contract.HeadReport.PoolReport;
import io.fairlead.contract.Reason;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.volume.Pool;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A pool that is a directory of preallocated files. The directory is locked as long as the pool is open, so that two workers cannot
 * share it.
 *
 * <p>Called from the reconciler's thread; allocation runs in the pool's own thread, one volume at a time, and only touches files that
 * have no name yet, or the space behind the end that hosts know of.
 *
 * <p>Order of a creation: data under {@code .partial}, zeros, sync; the record, sync; the name by a hard link, which never replaces
 * anything; sync. A stop at any point leaves nothing, a partial file that is swept away, or a finished volume whose name is given at the
 * next opening. Order of a removal: the data, then the record.
 */
public final class DirectoryPool implements Pool {

    static final String PARTIAL = ".partial";

    private static final System.Logger LOG = System.getLogger(DirectoryPool.class.getName());
    private static final String DATA = ".volume";
    private static final String RECORD = ".json";
    private static final String LOCK = ".fairlead-pool.lock";

    private final String name;
    private final Path directory;
    private final Zeroing zeroing;
    private final Runnable worthAsking;
    private final Map<VolumeId, Work> work = new ConcurrentHashMap<>();
    private final ExecutorService allocator;
    private FileChannel lock;
    private long lockInode;

    /** An allocation that runs, or has ended in a fault that {@link #ensure} has not told yet. */
    private static final class Work {
        private final long totalBytes;
        private volatile long doneBytes;
        private volatile VolumeFault fault;

        private Work(long totalBytes) {
            this.totalBytes = totalBytes;
        }
    }

    private DirectoryPool(String name, Path directory, Zeroing zeroing, Runnable worthAsking) {
        this.name = name;
        this.directory = directory;
        this.zeroing = zeroing;
        this.worthAsking = worthAsking;
        this.allocator = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("pool-" + name).factory());
    }

    /**
     * Opens a pool; never fails: what is wrong is reported, and tried again at each use.
     *
     * @param worthAsking called from the pool's thread whenever an allocation has ended
     */
    public static DirectoryPool open(String name, Path directory, Runnable worthAsking) {
        return open(name, directory, Zeroing.BY_WRITING, worthAsking);
    }

    static DirectoryPool open(String name, Path directory, Zeroing zeroing, Runnable worthAsking) {
        return new DirectoryPool(name, directory.toAbsolutePath().normalize(), zeroing, worthAsking);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PoolReport report() {
        try {
            requireUsable();
            FileStore store = Files.getFileStore(directory);
            return new PoolReport(
                    name,
                    "file",
                    directory.toString(),
                    store.getTotalSpace(),
                    store.getUsableSpace(),
                    Optional.empty(),
                    Optional.empty());
        } catch (VolumeFault e) {
            return unusable(e.reason());
        } catch (IOException e) {
            return unusable(new Reason("pool.unreadable", "The directory cannot be read: " + e.getMessage() + "."));
        }
    }

    private PoolReport unusable(Reason reason) {
        return new PoolReport(name, "file", directory.toString(), 0, 0, Optional.of(reason), Optional.empty());
    }

    @Override
    public VolumeStatus ensure(DesiredVolume wanted, History history) throws VolumeFault {
        requireUsable();
        Work running = work.get(wanted.id());
        if (running != null && running.fault != null) {
            work.remove(wanted.id());
            throw running.fault;
        }
        try {
            Optional<VolumeRecord> record = record(wanted.id());
            if (record.isEmpty()) {
                return running == null ? create(wanted, history) : allocating(wanted, running);
            }
            if (running != null && !Files.exists(data(wanted.id()))) {
                return allocating(wanted, running);
            }
            return existing(wanted, record.get(), running);
        } catch (JsonProcessingException e) {
            throw VolumeFault.broken(
                    "volume.record_damaged", "The record of volume " + wanted.id() + " is damaged. Restore it.", e);
        } catch (IOException e) {
            throw VolumeFault.notYet("volume.unreadable", "Volume " + wanted.id() + ": " + told(e) + ".", e);
        }
    }

    private VolumeStatus existing(DesiredVolume wanted, VolumeRecord record, Work running)
            throws VolumeFault, IOException {
        requireOurs(record);
        if (Files.size(data(wanted.id())) < record.sizeBytes()) {
            throw VolumeFault.broken(
                    "volume.truncated",
                    data(wanted.id()) + " has become shorter than the " + record.sizeBytes()
                            + " bytes of the volume. Restore the file.",
                    null);
        }
        if (wanted.sizeBytes() < record.sizeBytes()) {
            throw VolumeFault.broken(
                    "volume.shrink",
                    "The volume has " + record.sizeBytes() + " bytes and is never made smaller.",
                    null);
        }
        VolumeStatus.Ready ready = new VolumeStatus.Ready(wanted.id(), data(wanted.id()), record.sizeBytes());
        if (wanted.sizeBytes() == record.sizeBytes()) {
            return ready;
        }
        return running == null
                ? grow(wanted, record, ready)
                : new VolumeStatus.Growing(ready, running.doneBytes, running.totalBytes);
    }

    private VolumeStatus create(DesiredVolume wanted, History history) throws VolumeFault, IOException {
        if (Files.exists(data(wanted.id()), LinkOption.NOFOLLOW_LINKS)) {
            throw foreign(wanted.id(), "it has no record of a volume");
        }
        if (history == History.MADE_BEFORE) {
            throw VolumeFault.notYet(
                    "volume.data_absent",
                    "The volume was made here before and is not in " + directory
                            + " now. Mount or restore the directory; no empty volume is put in its place.",
                    null);
        }
        requireSpace(wanted.sizeBytes());
        Work started = new Work(wanted.sizeBytes());
        start(wanted.id(), started, () -> allocate(wanted, started));
        return allocating(wanted, started);
    }

    private VolumeStatus grow(DesiredVolume wanted, VolumeRecord record, VolumeStatus.Ready ready)
            throws VolumeFault, IOException {
        requireSpace(wanted.sizeBytes() - record.sizeBytes());
        Work started = new Work(wanted.sizeBytes() - record.sizeBytes());
        start(wanted.id(), started, () -> extend(record, wanted.sizeBytes(), started));
        return new VolumeStatus.Growing(ready, 0, started.totalBytes);
    }

    private static VolumeStatus allocating(DesiredVolume wanted, Work running) {
        return new VolumeStatus.Allocating(wanted.id(), running.doneBytes, running.totalBytes);
    }

    /** What the pool's thread does. */
    private interface Allocation {
        void run() throws IOException, VolumeFault;
    }

    private void start(VolumeId id, Work started, Allocation allocation) throws VolumeFault {
        work.put(id, started);
        try {
            allocator.execute(() -> finish(id, started, allocation));
        } catch (RejectedExecutionException e) {
            work.remove(id);
            throw VolumeFault.notYet("pool.closed", "The pool " + name + " is being closed.", e);
        }
    }

    private void finish(VolumeId id, Work started, Allocation allocation) {
        try {
            allocation.run();
            work.remove(id);
        } catch (VolumeFault e) {
            started.fault = e;
        } catch (IOException e) {
            started.fault = outOfSpaceOr(id, started.totalBytes, e);
        } finally {
            worthAsking.run();
        }
    }

    private void allocate(DesiredVolume wanted, Work progress) throws IOException, VolumeFault {
        Path partial = directory.resolve(wanted.id() + PARTIAL);
        Files.deleteIfExists(partial);
        try {
            try (FileChannel channel = Durable.create(partial)) {
                zeroing.zero(channel, 0, wanted.sizeBytes(), done -> progress.doneBytes = done);
            }
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        new VolumeRecord(
                        VolumeRecord.SCHEMA,
                        wanted.id(),
                        wanted.name(),
                        wanted.sizeBytes(),
                        wanted.lbaBytes(),
                        VolumeRecord.inodeOf(partial))
                .write(record(wanted.id(), RECORD));
        name(wanted.id(), partial);
    }

    /** Gives a finished file its name. A hard link fails where a rename would silently replace. */
    private void name(VolumeId id, Path partial) throws IOException, VolumeFault {
        try {
            Files.createLink(data(id), partial);
        } catch (FileAlreadyExistsException e) {
            Files.deleteIfExists(record(id, RECORD));
            Files.deleteIfExists(partial);
            throw foreign(id, "it appeared while the volume was being made");
        }
        Files.delete(partial);
        Durable.syncDirectory(directory);
    }

    private void extend(VolumeRecord record, long sizeBytes, Work progress) throws IOException {
        Path file = data(record.volumeId());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            try {
                zeroing.zero(channel, record.sizeBytes(), sizeBytes, done -> progress.doneBytes = done);
            } catch (IOException e) {
                // Hosts know nothing of what is behind the recorded size, so it can be given back.
                giveBack(channel, record.sizeBytes(), e);
                throw e;
            }
        }
        record.withSize(sizeBytes).write(record(record.volumeId(), RECORD));
    }

    private static void giveBack(FileChannel channel, long sizeBytes, IOException cause) {
        try {
            channel.truncate(sizeBytes);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void remove(VolumeId volume) throws VolumeFault {
        requireUsable();
        Work running = work.get(volume);
        if (running != null && running.fault == null) {
            throw VolumeFault.notYet("volume.allocating", "The volume is still being made; it goes after that.", null);
        }
        work.remove(volume);
        try {
            Optional<VolumeRecord> record = record(volume);
            if (record.isEmpty()) {
                if (Files.exists(data(volume), LinkOption.NOFOLLOW_LINKS)) {
                    throw foreign(volume, "it has no record of a volume");
                }
                return;
            }
            if (Files.exists(data(volume), LinkOption.NOFOLLOW_LINKS)) {
                requireOurs(record.get());
                Files.delete(data(volume));
                Durable.syncDirectory(directory);
            }
            Files.delete(record(volume, RECORD));
            Durable.syncDirectory(directory);
        } catch (IOException e) {
            throw VolumeFault.notYet("volume.not_removed", "Volume " + volume + ": " + told(e) + ".", e);
        }
    }

    private void requireOurs(VolumeRecord record) throws VolumeFault, IOException {
        Path file = data(record.volumeId());
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw VolumeFault.broken(
                    "volume.file_absent",
                    file + " has gone. An empty volume is not put in its place; bring the file back.",
                    null);
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || VolumeRecord.inodeOf(file) != record.inode()) {
            throw foreign(record.volumeId(), "it is not the file that the volume was made as");
        }
    }

    private VolumeFault foreign(VolumeId id, String why) {
        return VolumeFault.broken(
                "volume.foreign_file",
                data(id) + " belongs to something else: " + why + ". Fairlead does not touch it.",
                null);
    }

    private void requireSpace(long bytes) throws VolumeFault, IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        if (free < bytes) {
            throw noSpace(bytes, free, null);
        }
    }

    private VolumeFault outOfSpaceOr(VolumeId id, long bytes, IOException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
            long free = directory.toFile().getUsableSpace();
            return noSpace(bytes, free, e);
        }
        return VolumeFault.notYet("volume.not_allocated", "Volume " + id + ": " + told(e) + ".", e);
    }

    private VolumeFault noSpace(long bytes, long free, IOException cause) {
        return VolumeFault.notYet(
                "pool.insufficient_capacity",
                "Pool " + name + " (" + directory + ") has " + free + " bytes free, " + bytes
                        + " are needed. Free some space; the volume is made then.",
                cause);
    }

    private void requireUsable() throws VolumeFault {
        Path lockFile = directory.resolve(LOCK);
        try {
            if (lock != null && Files.exists(lockFile) && VolumeRecord.inodeOf(lockFile) == lockInode) {
                return;
            }
            // Not opened yet, or something was mounted over the directory since.
            unlock();
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(channel)) {
                channel.close();
                throw VolumeFault.notYet(
                        "pool.locked", directory + " is used by another worker. Give each its own directory.", null);
            }
            lock = channel;
            lockInode = VolumeRecord.inodeOf(lockFile);
            sweep();
        } catch (IOException e) {
            throw VolumeFault.notYet("pool.unusable", directory + " cannot be used: " + told(e) + ".", e);
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            return held != null;
        } catch (OverlappingFileLockException e) {
            // Another pool of this very process.
            return false;
        }
    }

    /** Ends what a stop has interrupted; what one file ends in does not keep the others from being used. */
    private void sweep() throws IOException {
        try (DirectoryStream<Path> partials = Files.newDirectoryStream(directory, "*" + PARTIAL)) {
            for (Path partial : partials) {
                try {
                    sweep(partial);
                } catch (IOException | VolumeFault e) {
                    LOG.log(System.Logger.Level.WARNING, "pool={0} {1} left as it is: {2}", name, partial, e);
                }
            }
        }
    }

    /** Names a finished volume, gives the space of an unfinished one back, and leaves other people's files alone. */
    private void sweep(Path partial) throws IOException, VolumeFault {
        String file = partial.getFileName().toString();
        String base = file.substring(0, file.length() - PARTIAL.length());
        if (base.endsWith(RECORD)) {
            if (volumeId(base.substring(0, base.length() - RECORD.length())).isPresent()) {
                Files.delete(partial);
            }
            return;
        }
        Optional<VolumeId> id = volumeId(base);
        if (id.isEmpty()) {
            return;
        }
        Optional<VolumeRecord> record = record(id.get());
        boolean finished = record.isPresent()
                && VolumeRecord.inodeOf(partial) == record.get().inode();
        if (finished && !Files.exists(data(id.get()))) {
            name(id.get(), partial);
        } else {
            LOG.log(System.Logger.Level.INFO, "pool={0} volume={1} leftover of a creation removed", name, id.get());
            Files.delete(partial);
        }
    }

    private static Optional<VolumeId> volumeId(String text) {
        try {
            return Optional.of(VolumeId.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<VolumeRecord> record(VolumeId id) throws IOException {
        try {
            return Optional.of(VolumeRecord.read(record(id, RECORD), id));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Path record(VolumeId id, String suffix) {
        return directory.resolve(id + suffix);
    }

    private Path data(VolumeId id) {
        return directory.resolve(id + DATA);
    }

    private static String told(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Stops allocating where it is and unlocks the directory. */
    @Override
    public void close() {
        allocator.shutdownNow();
        unlock();
    }

    private void unlock() {
        if (lock == null) {
            return;
        }
        try {
            lock.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "pool={0} lock not released: {1}", name, e.getMessage());
        }
        lock = null;
    }
}
