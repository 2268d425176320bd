package io.fairlead.worker.inventory.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelAdminQueueTest {

    @TempDir
    Path root;

    @BeforeEach
    void makeTheDirectories() throws IOException {
        Files.createDirectories(root.resolve("sys/block/nvme0n1"));
        Files.createDirectories(root.resolve("dev"));
    }

    private void leadsTo(String target) throws IOException {
        Files.createSymbolicLink(root.resolve("sys/block/nvme0n1/device"), root.resolve(target));
    }

    @Test
    void shouldFindTheControllerOfADriveWithOnePath() throws Exception {
        Files.createDirectories(root.resolve("sys/class/nvme/nvme3"));
        leadsTo("sys/class/nvme/nvme3");

        assertThat(KernelAdminQueue.controller(root, "nvme0n1")).isEqualTo("nvme3");
    }

    @Test
    void shouldFindALiveControllerOfADriveWithSeveralPaths() throws Exception {
        for (String controller : new String[] {"nvme1", "nvme7"}) {
            Files.createDirectories(root.resolve("sys/class/nvme-subsystem/nvme-subsys0/" + controller));
        }
        Files.writeString(root.resolve("sys/class/nvme-subsystem/nvme-subsys0/nvme1/state"), "connecting\n");
        Files.writeString(root.resolve("sys/class/nvme-subsystem/nvme-subsys0/nvme7/state"), "live\n");
        leadsTo("sys/class/nvme-subsystem/nvme-subsys0");

        assertThat(KernelAdminQueue.controller(root, "nvme0n1")).isEqualTo("nvme7");
    }

    @Test
    void shouldSayWhenNoControllerIsAlive() throws Exception {
        Files.createDirectories(root.resolve("sys/class/nvme-subsystem/nvme-subsys0"));
        leadsTo("sys/class/nvme-subsystem/nvme-subsys0");

        assertThat(fault().reason().code()).isEqualTo("drive.health_no_controller");
    }

    @Test
    void shouldSayWhenTheDriveHasGone() throws Exception {
        Files.createDirectories(root.resolve("sys/class/nvme/nvme3"));
        leadsTo("sys/class/nvme/nvme3");

        assertThat(fault().reason().code()).isEqualTo("drive.health_gone");
    }

    @Test
    void shouldSayWhatTheKernelAnswersWhereThereIsNoDrive() throws Exception {
        Files.createDirectories(root.resolve("sys/class/nvme/nvme3"));
        leadsTo("sys/class/nvme/nvme3");
        Files.writeString(root.resolve("dev/nvme3"), "a file and not a device");

        try (AdminQueue queue = KernelAdminQueue.open(root, "nvme0n1")) {
            HealthFault fault = catchThrowableOfType(HealthFault.class, () -> queue.identify(1));
            assertThat(fault.reason().code()).isEqualTo("drive.health_unavailable");
        }
    }

    private HealthFault fault() {
        return catchThrowableOfType(
                HealthFault.class, () -> KernelAdminQueue.open(root, "nvme0n1").close());
    }
}
