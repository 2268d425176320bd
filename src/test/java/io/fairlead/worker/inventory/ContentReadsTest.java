package io.fairlead.worker.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DriveReport.Rotation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContentReadsTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Content SILENT = new Content.Unreadable("it does not answer");
    private static final BlockDrive HANGING = drive("eui.1", "nvme0n1");
    private static final BlockDrive GOOD = drive("eui.2", "nvme1n1");

    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> read = new ArrayList<>();

    @AfterEach
    void release() {
        released.countDown();
    }

    @Test
    void shouldReadDrivesTogether() {
        ContentReads reads = new ContentReads(this::answer, Runnable::run);

        assertThat(reads.read(List.of(drive("eui.3", "nvme3n1"), GOOD), LONG))
                .isEqualTo(Map.of("eui.3", new Content.Blank(), "eui.2", new Content.Blank()));
    }

    @Test
    void shouldNotWaitForADriveThatHangs() {
        ContentReads reads = new ContentReads(this::answer, eachOnItsThread());

        assertThat(reads.read(List.of(HANGING), SHORT)).isEqualTo(Map.of("eui.1", SILENT));
        assertThat(reads.read(List.of(HANGING, GOOD), LONG))
                .as("it is not waited for again, and others are read")
                .isEqualTo(Map.of("eui.1", SILENT, "eui.2", new Content.Blank()));
    }

    @Test
    void shouldAskADriveThatOwesItsAnswerNothingMoreUntilItCame() {
        Queue<Runnable> begun = new ArrayDeque<>();
        ContentReads reads = new ContentReads(this::note, begun::add);
        reads.read(List.of(GOOD), SHORT);
        reads.read(List.of(GOOD), SHORT);
        assertThat(begun).hasSize(1);

        begun.remove().run();
        reads.read(List.of(GOOD), SHORT);

        assertThat(begun).hasSize(1);
        assertThat(read).containsExactly("/dev/nvme1n1");
    }

    @Test
    void shouldAskTheDriveThatTookTheNameOfOneThatHangs() {
        ContentReads reads = new ContentReads(this::answer, eachOnItsThread());
        reads.read(List.of(HANGING), SHORT);
        released.countDown();

        assertThat(reads.read(List.of(drive("eui.9", HANGING.name())), LONG))
                .isEqualTo(Map.of("eui.9", new Content.Blank()));
    }

    private Content answer(Path device, long sizeBytes) {
        if (device.equals(HANGING.device())) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return new Content.Blank();
    }

    private Content note(Path device, long sizeBytes) {
        read.add(device.toString());
        return new Content.Blank();
    }

    private static Executor eachOnItsThread() {
        return task -> Thread.ofPlatform().daemon().start(task);
    }

    private static BlockDrive drive(String identity, String name) {
        return new BlockDrive(
                identity,
                "nvme",
                name,
                Path.of("/dev", name),
                "Model",
                "S",
                4096,
                512,
                Rotation.SOLID_STATE,
                Optional.empty(),
                List.of());
    }
}
