package io.fairlead.worker.volume.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.DesiredVolume;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import io.fairlead.worker.volume.Pool.History;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.VolumeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryPoolTest {

    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    Path directory;

    private final LinkedBlockingQueue<String> nudges = new LinkedBlockingQueue<>();
    private final VolumeId id = new VolumeId(new UUID(0x0123, 0x4567));
    private DirectoryPool pool;

    @AfterEach
    void close() {
        if (pool != null) {
            pool.close();
        }
    }

    @Test
    void shouldMakeAVolumeOfExactlyTheSizeThatIsAllocatedAsAWhole() throws Exception {
        open(Zeroing.BY_WRITING);

        assertThat(pool.ensure(wanted(3 * MEBIBYTE + 512), History.NEW)).isInstanceOf(VolumeStatus.Allocating.class);
        VolumeStatus.Ready ready = settled(3 * MEBIBYTE + 512);

        assertThat(ready.sizeBytes()).isEqualTo(3 * MEBIBYTE + 512);
        assertThat(Files.size(ready.device())).isEqualTo(3 * MEBIBYTE + 512);
        assertThat(Files.getPosixFilePermissions(ready.device())).hasSize(2);
        assertThat(names()).containsExactlyInAnyOrder(id + ".volume", id + ".json", ".fairlead-pool.lock");
        assertThat(allocatedBytes(ready.device())).isGreaterThanOrEqualTo(3 * MEBIBYTE);
    }

    @Test
    void shouldFindTheVolumeAgainWithItsData() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        byte[] data = pattern();
        write(device, data);
        reopen(Zeroing.BY_WRITING);

        assertThat(pool.ensure(wanted(MEBIBYTE), History.NEW)).isEqualTo(new VolumeStatus.Ready(id, device, MEBIBYTE));
        assertThat(Arrays.copyOf(Files.readAllBytes(device), data.length)).isEqualTo(data);
    }

    @Test
    void shouldGrowAndKeepTheData() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        byte[] data = pattern();
        write(device, data);

        VolumeStatus growing = pool.ensure(wanted(2 * MEBIBYTE), History.MADE_BEFORE);
        assertThat(growing).isInstanceOf(VolumeStatus.Growing.class);
        assertThat(((VolumeStatus.Growing) growing).present().sizeBytes()).isEqualTo(MEBIBYTE);

        assertThat(settled(2 * MEBIBYTE)).isEqualTo(new VolumeStatus.Ready(id, device, 2 * MEBIBYTE));
        assertThat(Files.size(device)).isEqualTo(2 * MEBIBYTE);
        assertThat(Arrays.copyOf(Files.readAllBytes(device), data.length)).isEqualTo(data);
    }

    @Test
    void shouldNeverShrink() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(2 * MEBIBYTE), History.NEW);
        Path device = settled(2 * MEBIBYTE).device();

        VolumeFault fault = faultOf(MEBIBYTE, History.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("volume.shrink");
        assertThat(Files.size(device)).isEqualTo(2 * MEBIBYTE);
    }

    @Test
    void shouldNeverOverwriteAFileThatItDidNotMake() throws Exception {
        Path foreign = directory.resolve(id + ".volume");
        Files.writeString(foreign, "somebody's");
        open(Zeroing.BY_WRITING);

        assertThat(faultOf(MEBIBYTE, History.NEW).reason().code()).isEqualTo("volume.foreign_file");
        assertThat(catchThrowableOfType(VolumeFault.class, () -> pool.remove(id))
                        .reason()
                        .code())
                .isEqualTo("volume.foreign_file");
        assertThat(foreign).hasContent("somebody's");
    }

    @Test
    void shouldNoticeThatTheFileWasExchanged() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        Path other = directory.resolve("other");
        Files.write(other, new byte[(int) MEBIBYTE]);
        Files.move(other, device, StandardCopyOption.REPLACE_EXISTING);

        assertThat(faultOf(MEBIBYTE, History.MADE_BEFORE).reason().code()).isEqualTo("volume.foreign_file");
        assertThat(catchThrowableOfType(VolumeFault.class, () -> pool.remove(id)))
                .isNotNull();
        assertThat(device).exists();
    }

    @Test
    void shouldNotPutAnEmptyVolumeInPlaceOfALostOne() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        Files.delete(device);

        VolumeFault fault = faultOf(MEBIBYTE, History.NEW);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("volume.file_absent");
        assertThat(device).doesNotExist();
    }

    @Test
    void shouldWaitForADirectoryThatIsNotMountedYet() throws Exception {
        open(Zeroing.BY_WRITING);

        VolumeFault fault = faultOf(MEBIBYTE, History.MADE_BEFORE);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("volume.data_absent");
        assertThat(names()).containsExactly(".fairlead-pool.lock");
    }

    @Test
    void shouldNoticeThatTheFileWasCutShort() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.truncate(MEBIBYTE - 1);
        }

        assertThat(faultOf(MEBIBYTE, History.MADE_BEFORE).reason().code()).isEqualTo("volume.truncated");
    }

    @Test
    void shouldSayThatADamagedRecordIsDamaged() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        settled(MEBIBYTE);
        Files.writeString(directory.resolve(id + ".json"), "{\"schema\":1");

        assertThat(faultOf(MEBIBYTE, History.MADE_BEFORE).reason().code()).isEqualTo("volume.record_damaged");
    }

    @Test
    void shouldCleanUpWhenTheDiskIsFull() throws Exception {
        open(fullAfter(MEBIBYTE));
        pool.ensure(wanted(4 * MEBIBYTE), History.NEW);
        nudges.poll(10, TimeUnit.SECONDS);

        VolumeFault fault = faultOf(4 * MEBIBYTE, History.NEW);

        assertThat(fault.kind()).isEqualTo(VolumeFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("pool.insufficient_capacity");
        assertThat(names()).containsExactly(".fairlead-pool.lock");
    }

    @Test
    void shouldGiveBackWhatAFailedGrowthTook() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        reopen(fullAfter(MEBIBYTE));

        pool.ensure(wanted(4 * MEBIBYTE), History.MADE_BEFORE);
        nudges.poll(10, TimeUnit.SECONDS);

        assertThat(faultOf(4 * MEBIBYTE, History.MADE_BEFORE).reason().code()).isEqualTo("pool.insufficient_capacity");
        assertThat(Files.size(device)).isEqualTo(MEBIBYTE);
        assertThat(pool.ensure(wanted(MEBIBYTE), History.MADE_BEFORE)).isInstanceOf(VolumeStatus.Ready.class);
    }

    @Test
    void shouldRefuseAtOnceWhatCannotFit() throws Exception {
        open(Zeroing.BY_WRITING);

        VolumeFault fault = faultOf(Long.MAX_VALUE / 512 * 512, History.NEW);

        assertThat(fault.reason().code()).isEqualTo("pool.insufficient_capacity");
        assertThat(names()).containsExactly(".fairlead-pool.lock");
    }

    @Test
    void shouldRemoveTheVolumeAndBeDoneTheSecondTime() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        settled(MEBIBYTE);

        pool.remove(id);
        pool.remove(id);

        assertThat(names()).containsExactly(".fairlead-pool.lock");
    }

    @Test
    void shouldFinishARemovalThatWasInterrupted() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Files.delete(settled(MEBIBYTE).device());

        pool.remove(id);

        assertThat(names()).containsExactly(".fairlead-pool.lock");
    }

    @Test
    void shouldSweepWhatAnInterruptedCreationLeft() throws Exception {
        Files.write(directory.resolve(id + ".partial"), new byte[4096]);
        Files.writeString(directory.resolve(id + ".json.partial"), "{");
        Files.writeString(directory.resolve("notes.partial"), "somebody's");
        open(Zeroing.BY_WRITING);

        pool.ensure(wanted(MEBIBYTE), History.NEW);

        assertThat(settled(MEBIBYTE).sizeBytes()).isEqualTo(MEBIBYTE);
        assertThat(names())
                .containsExactlyInAnyOrder(id + ".volume", id + ".json", ".fairlead-pool.lock", "notes.partial");
    }

    @Test
    void shouldNameAVolumeWhoseCreationWasInterruptedAfterItsRecord() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.ensure(wanted(MEBIBYTE), History.NEW);
        Path device = settled(MEBIBYTE).device();
        pool.close();
        Files.move(device, directory.resolve(id + ".partial"));

        open(Zeroing.BY_WRITING);

        assertThat(pool.ensure(wanted(MEBIBYTE), History.NEW)).isEqualTo(new VolumeStatus.Ready(id, device, MEBIBYTE));
        assertThat(directory.resolve(id + ".partial")).doesNotExist();
    }

    @Test
    void shouldNotShareItsDirectoryWithAnotherPool() throws Exception {
        open(Zeroing.BY_WRITING);
        pool.report();

        try (DirectoryPool second = DirectoryPool.open("second", directory, () -> {})) {
            assertThat(second.report().problem().orElseThrow().code()).isEqualTo("pool.locked");
        }
        assertThat(pool.report().problem()).isEmpty();
    }

    @Test
    void shouldReportCapacity() {
        open(Zeroing.BY_WRITING);

        assertThat(pool.report().capacityBytes()).isPositive();
        assertThat(pool.report().freeBytes()).isPositive();
        assertThat(pool.report().location()).isEqualTo(directory.toString());
    }

    private static Zeroing fullAfter(long bytes) {
        return (channel, from, to, progress) -> {
            channel.write(ByteBuffer.allocate((int) bytes), from);
            throw new IOException("No space left on device");
        };
    }

    private void open(Zeroing zeroing) {
        pool = DirectoryPool.open("main", directory, zeroing, () -> nudges.add("worth asking"));
    }

    private void reopen(Zeroing zeroing) {
        pool.close();
        open(zeroing);
    }

    private VolumeStatus.Ready settled(long sizeBytes) throws Exception {
        assertThat(nudges.poll(10, TimeUnit.SECONDS)).isNotNull();
        return (VolumeStatus.Ready) pool.ensure(wanted(sizeBytes), History.NEW);
    }

    private VolumeFault faultOf(long sizeBytes, History history) {
        return catchThrowableOfType(VolumeFault.class, () -> pool.ensure(wanted(sizeBytes), history));
    }

    private DesiredVolume wanted(long sizeBytes) {
        return new DesiredVolume(
                id, new PoolId(new UUID(1, 2)), "main", "data", sizeBytes, 512, DesiredVolume.Presence.PRESENT);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private static byte[] pattern() {
        byte[] data = new byte[4096];
        for (int index = 0; index < data.length; index++) {
            data[index] = (byte) (index * 31 + 7);
        }
        return data;
    }

    private static void write(Path device, byte[] data) throws IOException {
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(data), 0);
        }
    }

    /** What the file system says it holds, by {@code stat}: the JDK does not tell. */
    private static long allocatedBytes(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b %B", file.toString()).start();
        String[] answer = new String(stat.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII)
                .trim()
                .split(" ");
        return Long.parseLong(answer[0]) * Long.parseLong(answer[1]);
    }
}
