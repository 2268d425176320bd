package io.fairlead.worker.volume.lvm;

import com.sun.nio.file.ExtendedOpenOption;
import io.fairlead.ffi.libc.Descriptor;
import io.fairlead.ffi.libc.Errno;
import io.fairlead.ffi.libc.SystemCallFault;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Reads {@code /sys/dev/block} and {@code /proc}, and writes past the page cache. Zeros are written and not asked for by discarding or
 * by a command of the drive: what a drive reads after those is its own affair, and what was written reads as written.
 */
final class LinuxBlockNodes implements BlockNodes {

    private static final int CHUNK_BYTES = 1 << 20;
    private static final int ALIGNMENT_BYTES = 4096;
    /** Further in than any first superblock, second LUKS header or ZFS label. */
    private static final long HEAD_BYTES = 8L << 20;
    /** Backup partition tables, md's old superblocks, ZFS labels. */
    private static final long TAIL_BYTES = 1L << 20;
    /** linux/fs.h: have the kernel read the partition table again. */
    private static final long BLKRRPART = 0x125F;

    private record Number(int major, int minor) {
        @Override
        public String toString() {
            return major + ":" + minor;
        }
    }

    private static Number numberOf(Path node) throws IOException {
        long device = (Long) Files.getAttribute(node, "unix:rdev");
        // sys/sysmacros.h of glibc
        int major = (int) (device >>> 8 & 0xFFF | device >>> 32 & ~0xFFFL);
        int minor = (int) (device & 0xFF | device >>> 12 & ~0xFFL);
        return new Number(major, minor);
    }

    private static Path sysfs(Path node) throws IOException {
        return Path.of("/sys/dev/block", numberOf(node).toString());
    }

    @Override
    public String mapperUuid(Path node) throws IOException {
        try {
            return Files.readString(sysfs(node).resolve("dm/uuid")).strip();
        } catch (NoSuchFileException e) {
            if (!Files.exists(node)) {
                throw e;
            }
            return "";
        }
    }

    @Override
    public List<String> users(Path node) throws IOException {
        List<String> users = new ArrayList<>();
        Number number = numberOf(node);
        try (DirectoryStream<Path> holders =
                Files.newDirectoryStream(sysfs(node).resolve("holders"))) {
            holders.forEach(holder -> users.add("device " + holder.getFileName()));
        }
        try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
            mounts.map(line -> line.split(" "))
                    .filter(fields -> fields.length > 4 && fields[2].equals(number.toString()))
                    .forEach(fields -> users.add("the mount " + fields[4]));
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process, number)) {
                    users.add("process " + process.getFileName() + " (" + nameOf(process) + ")");
                }
            }
        }
        return users;
    }

    private static boolean hasOpen(Path process, Number number) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path file : files) {
                if (Files.readAttributes(file, BasicFileAttributes.class).isOther()
                        && numberOf(file).equals(number)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The process or its file has gone meanwhile, or is none of ours to look into: it is not named.
            return false;
        }
        return false;
    }

    private static String nameOf(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException e) {
            return "gone";
        }
    }

    @Override
    public void zero(Path node, long sizeBytes, LongConsumer progress) throws IOException {
        try (FileChannel channel = open(node)) {
            zero(channel, 0, sizeBytes, progress);
            channel.force(true);
        }
    }

    @Override
    public void blank(Path drive) throws IOException {
        try (FileChannel channel = open(drive)) {
            long size = channel.size();
            // The end first: what is known by its beginning is known until all else has gone.
            zero(channel, Math.max(0, size - TAIL_BYTES), size, done -> {});
            zero(channel, 0, Math.min(HEAD_BYTES, size), done -> {});
            channel.force(true);
        }
        try (Descriptor descriptor = Descriptor.open(drive);
                Arena arena = Arena.ofConfined()) {
            MemorySegment nothing = arena.allocate(ValueLayout.JAVA_LONG);
            descriptor.ioctl(BLKRRPART, nothing);
        } catch (SystemCallFault e) {
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            // A device that cannot have partitions has none to forget.
        }
    }

    private static FileChannel open(Path node) throws IOException {
        return FileChannel.open(node, StandardOpenOption.WRITE, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    }

    private static void zero(FileChannel channel, long from, long to, LongConsumer progress) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(CHUNK_BYTES + ALIGNMENT_BYTES)
                .alignedSlice(ALIGNMENT_BYTES)
                .limit(CHUNK_BYTES)
                .slice();
        long position = from;
        while (position < to) {
            zeros.clear().limit((int) Math.min(CHUNK_BYTES, to - position));
            position += channel.write(zeros, position);
            progress.accept(position - from);
        }
    }
}
