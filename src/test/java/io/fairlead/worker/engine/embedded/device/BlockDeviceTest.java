package io.fairlead.worker.engine.embedded.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.DeviceQueue.Deallocation;
import io.fairlead.nvme.target.DeviceQueue.UnitAccess;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.nvme.target.FabricCommand;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BlockDeviceTest {

    private static final int BLOCKS = 4096;

    @TempDir
    private Path directory;

    /** A poll group's view of one device. */
    private static final class Host {
        private final Map<FabricCommand, DeviceStatus> done = new HashMap<>();
        private final DeviceQueue queue;
        private final int blockBytes;

        Host(BlockDevice device) {
            queue = device.openQueue((command, status) ->
                    assertThat(done.put(command, status)).as("completed once").isNull());
            blockBytes = device.blockBytes();
        }

        FabricCommand command(int blocks) {
            FabricCommand command = new FabricCommand(0, Arena.ofAuto());
            command.data(WireBuffer.allocateAligned(Math.max(4096, blocks * blockBytes), 4096)
                    .segment());
            return command;
        }

        DeviceStatus await(FabricCommand command) {
            while (!done.containsKey(command)) {
                queue.poll();
                LockSupport.parkNanos(20_000);
            }
            return done.get(command);
        }

        DeviceStatus run(FabricCommand command, Consumer<DeviceQueue> operation) {
            done.remove(command);
            operation.accept(queue);
            return await(command);
        }

        DeviceStatus write(long block, byte[] bytes, UnitAccess access) {
            int blocks = bytes.length / blockBytes;
            FabricCommand command = command(blocks);
            command.data().asByteBuffer().put(bytes);
            return run(command, q -> q.write(command, block, blocks, access));
        }

        byte[] read(long block, int blocks) {
            FabricCommand command = command(blocks);
            assertThat(run(command, q -> q.read(command, block, blocks))).isEqualTo(DeviceStatus.OK);
            byte[] bytes = new byte[blocks * blockBytes];
            command.data().asByteBuffer().get(bytes);
            return bytes;
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private Path file(String name, long length) throws IOException {
        Path path = directory.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(length);
        }
        return path;
    }

    private static void shouldKeepWhatIsWritten(BlockDevice device) {
        Host host = new Host(device);
        int block = device.blockBytes();
        byte[] content = bytes(16 * block);
        assertThat(host.write(100, content, UnitAccess.CACHED)).isEqualTo(DeviceStatus.OK);
        assertThat(host.write(0, bytes(block), UnitAccess.FORCED)).isEqualTo(DeviceStatus.OK);
        assertThat(host.read(100, 16)).isEqualTo(content);
        FabricCommand flush = host.command(1);
        assertThat(host.run(flush, q -> q.flush(flush))).isEqualTo(DeviceStatus.OK);

        FabricCommand zeroes = host.command(1);
        assertThat(host.run(zeroes, q -> q.writeZeroes(zeroes, 104, 8, Deallocation.MAY_DEALLOCATE, UnitAccess.FORCED)))
                .isEqualTo(DeviceStatus.OK);
        assertThat(host.read(104, 8)).containsOnly(0);
        assertThat(host.read(100, 4)).isEqualTo(java.util.Arrays.copyOf(content, 4 * block));

        FabricCommand trim = host.command(1);
        assertThat(host.run(trim, q -> q.deallocate(trim, 0, 8))).isEqualTo(DeviceStatus.OK);
        host.queue.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void shouldKeepWhatIsWrittenToAFile(int blockBytes) throws IOException {
        try (FileDevice device =
                FileDevice.open(file("disk", (long) BLOCKS * blockBytes), blockBytes, (long) BLOCKS * blockBytes)) {
            assertThat(device.blockCount()).isEqualTo(BLOCKS);
            assertThat(device.hasVolatileWriteCache()).isTrue();
            assertThat(device.caching()).isEqualTo(FileDevice.Caching.PAGE_CACHE);
            shouldKeepWhatIsWritten(device);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void shouldKeepWhatIsWrittenToMemory(int blockBytes) {
        try (MemoryDevice device = new MemoryDevice(blockBytes, BLOCKS)) {
            shouldKeepWhatIsWritten(device);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void shouldServeABlockDeviceDirectlyWhereItsBlocksAreLargeEnough(int blockBytes) throws Exception {
        Path image = file("image", (long) BLOCKS * 4096);
        String loop = loopDevice(image);
        assumeThat(loop).as("loop devices can be made here").isNotEmpty();
        try (FileDevice device = FileDevice.open(Path.of(loop), blockBytes, (long) BLOCKS * 4096)) {
            assertThat(device.caching())
                    .as(device.cachingReason())
                    .isEqualTo(blockBytes == 4096 ? FileDevice.Caching.DIRECT : FileDevice.Caching.PAGE_CACHE);
            assertThatThrownBy(() -> device.grow((long) BLOCKS * 4096 + 4096))
                    .isInstanceOf(DeviceTooSmallException.class);
            shouldKeepWhatIsWritten(device);
        } finally {
            run("losetup", "-d", loop);
        }
    }

    /** The name of a loop device on the file, or nothing where none can be had. */
    private static String loopDevice(Path image) throws InterruptedException {
        try {
            return run("losetup", "--find", "--show", image.toString());
        } catch (IOException e) {
            return "";
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + " failed");
        }
        return output.strip();
    }

    @Test
    void shouldDoManyOperationsAtOnceAndEachOnce() throws IOException {
        try (FileDevice device = FileDevice.open(file("disk", BLOCKS * 4096L), 4096, BLOCKS * 4096L)) {
            Host host = new Host(device);
            List<FabricCommand> commands = new ArrayList<>();
            for (int block = 0; block < 2000; block++) {
                FabricCommand command = host.command(1);
                command.data().asByteBuffer().putInt(0, block);
                commands.add(command);
                host.queue.write(command, block, 1, UnitAccess.CACHED);
            }
            for (FabricCommand command : commands) {
                assertThat(host.await(command)).isEqualTo(DeviceStatus.OK);
            }
            for (int block = 0; block < 2000; block += 97) {
                assertThat(java.nio.ByteBuffer.wrap(host.read(block, 1)).getInt())
                        .isEqualTo(block);
            }
            host.queue.close();
        }
    }

    @Test
    void shouldWakeItsPollGroupForEachOperation() throws IOException {
        AtomicInteger woken = new AtomicInteger();
        try (FileDevice device = FileDevice.open(file("disk", BLOCKS * 512L), 512, BLOCKS * 512L)) {
            DeviceQueue queue = device.openQueue((command, status) -> {}, woken::incrementAndGet);
            FabricCommand command = new FabricCommand(0, Arena.ofAuto());
            queue.flush(command);
            await().until(() -> woken.get() > 0);
            assertThat(queue.poll()).isEqualTo(1);
            queue.close();
        }
    }

    @Test
    void shouldNotOpenWhatIsAbsentOrTooSmall() throws IOException {
        Path small = file("small", 4096);
        assertThatThrownBy(() -> FileDevice.open(directory.resolve("absent"), 512, 512))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> FileDevice.open(small, 512, 8192)).isInstanceOf(DeviceTooSmallException.class);
        assertThatThrownBy(() -> FileDevice.open(directory, 512, 512)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldServeMoreOnceTheFileHasGrown() throws IOException {
        Path path = file("disk", 4096);
        try (FileDevice device = FileDevice.open(path, 512, 4096)) {
            assertThatThrownBy(() -> device.grow(8192)).isInstanceOf(DeviceTooSmallException.class);
            file("disk", 8192);
            device.grow(8192);
            assertThat(device.blockCount()).isEqualTo(16);
            device.grow(4096);
            assertThat(device.blockCount()).as("it never shrinks").isEqualTo(16);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deleted", "replaced", "truncated"})
    void shouldBeGoneOnceThePathNoLongerLeadsToWhatIsOpen(String how) throws IOException {
        Path path = file("disk", 8192);
        try (FileDevice device = FileDevice.open(path, 512, 8192)) {
            Host host = new Host(device);
            assertThat(device.failure()).isEmpty();
            switch (how) {
                case "deleted" -> Files.delete(path);
                case "replaced" ->
                    Files.move(file("other", 8192), path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                default -> Files.write(path, new byte[512]);
            }
            assertThat(device.failure()).contains(DeviceStatus.GONE);
            assertThat(host.write(0, bytes(512), UnitAccess.FORCED)).isEqualTo(DeviceStatus.GONE);
            file("disk", 8192);
            assertThat(device.failure()).as("for good").contains(DeviceStatus.GONE);
            host.queue.close();
        }
    }

    @Test
    void shouldNoticeByItselfThatTheFileHasGone() throws IOException {
        Path path = file("disk", 8192);
        try (FileDevice device = FileDevice.open(path, 512, 8192)) {
            Host host = new Host(device);
            Files.delete(path);
            await().until(() -> host.write(0, bytes(512), UnitAccess.CACHED) == DeviceStatus.GONE);
            host.queue.close();
        }
    }

    @Test
    void shouldSayThatThereIsNoSpaceAndAcknowledgeNothing() throws IOException {
        assumeThat(Files.exists(Path.of("/dev/full"))).isTrue();
        try (FileDevice device = FileDevice.openUnchecked(Path.of("/dev/full"), 512, 8192)) {
            Host host = new Host(device);
            assertThat(host.write(0, bytes(512), UnitAccess.CACHED)).isEqualTo(DeviceStatus.NO_SPACE);
            FabricCommand zeroes = host.command(1);
            assertThat(host.run(zeroes, q -> q.writeZeroes(zeroes, 0, 8, Deallocation.KEEP, UnitAccess.CACHED)))
                    .isEqualTo(DeviceStatus.NO_SPACE);
            host.queue.close();
        }
    }

    @Test
    void shouldFailEverythingAfterAFlushHasFailed() throws IOException {
        assumeThat(Files.exists(Path.of("/dev/full"))).isTrue();
        try (FileDevice device = FileDevice.openUnchecked(Path.of("/dev/full"), 512, 8192)) {
            Host host = new Host(device);
            FabricCommand flush = host.command(1);
            // A character device cannot be flushed, which is as good as a disk that cannot.
            assertThat(host.run(flush, q -> q.flush(flush))).isEqualTo(DeviceStatus.WRITE_FAULT);
            assertThat(host.write(0, bytes(512), UnitAccess.CACHED)).isEqualTo(DeviceStatus.WRITE_FAULT);
            host.queue.close();
        }
    }

    @Test
    void shouldCloseTheFileOnlyAfterItsThreadsHaveLeft() throws IOException {
        FileDevice device = FileDevice.open(file("disk", BLOCKS * 4096L), 4096, BLOCKS * 4096L);
        Host host = new Host(device);
        List<FabricCommand> commands = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            FabricCommand command = host.command(1);
            commands.add(command);
            host.queue.write(command, i, 1, UnitAccess.CACHED);
        }
        host.queue.close();
        device.close();
        for (FabricCommand command : commands) {
            assertThat(host.await(command)).isIn(DeviceStatus.OK, DeviceStatus.GONE);
        }
        assertThat(new Host(device).write(0, bytes(4096), UnitAccess.CACHED)).isEqualTo(DeviceStatus.GONE);
    }
}
