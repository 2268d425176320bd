package io.fairlead.worker.engine.nvmet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.contract.Transport;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the machine lacks, told from a tree that looks like it: each lack has a sentence of its own. */
class LinuxMachineTest {

    private static final String RELEASE = "6.12.0-test";

    @TempDir
    private Path root;

    private LinuxMachine machine;

    @BeforeEach
    void aMachineThatServes() throws IOException {
        machine = new LinuxMachine(root);
        write("proc/sys/kernel/random/boot_id", "boot-7\n");
        write("proc/sys/kernel/osrelease", RELEASE + "\n");
        write("proc/self/mounts", "configfs /sys/kernel/config configfs rw 0 0\n");
        Files.createDirectories(root.resolve("sys/module/configfs"));
        Files.createDirectories(root.resolve("sys/kernel/config/nvmet/subsystems"));
        write(
                "lib/modules/" + RELEASE + "/modules.dep",
                "kernel/drivers/nvme/target/nvmet.ko.xz:\nkernel/drivers/nvme/target/nvmet-tcp.ko.xz: kernel/x.ko\n");
    }

    @Test
    void shouldMissNothingWhereTheTargetIsLoadedAndMayBeWritten() {
        assertThat(machine.missing()).isEmpty();
        assertThat(machine.bootId()).isEqualTo("boot-7");
    }

    @Test
    void shouldSayThatTheKernelHasNoConfigfs() throws IOException {
        delete("sys/kernel/config");
        Files.delete(root.resolve("sys/module/configfs"));

        assertThat(missing()).isEqualTo("engine.configfs_absent");
    }

    @Test
    void shouldSayThatConfigfsIsNotMounted() throws IOException {
        write("proc/self/mounts", "proc /proc proc rw 0 0\n");

        assertThat(missing()).isEqualTo("engine.configfs_not_mounted");
    }

    @Test
    void shouldTellATargetThatIsNotLoadedFromOneThatTheKernelLacks() throws IOException {
        delete("sys/kernel/config/nvmet");
        assertThat(missing()).isEqualTo("engine.nvmet_not_loaded");

        write("lib/modules/" + RELEASE + "/modules.dep", "kernel/drivers/nvme/target/nvmet-tcp.ko.xz:\n");
        assertThat(missing()).isEqualTo("engine.nvmet_absent");
    }

    @Test
    void shouldServeTransportsWhoseModuleTheKernelCanLoad() {
        assertThat(machine.whyNot(Transport.TCP)).isEmpty();
    }

    @Test
    void shouldTellAnRdmaModuleThatIsMissingFromAnRdmaDeviceThatIs() throws IOException {
        assertThat(machine.whyNot(Transport.RDMA))
                .hasValueSatisfying(text -> assertThat(text).contains("comes without the module nvmet-rdma"));

        Files.createDirectories(root.resolve("sys/module/nvmet_rdma"));
        assertThat(machine.whyNot(Transport.RDMA))
                .hasValueSatisfying(text -> assertThat(text).contains("has no RDMA device"));

        Files.createDirectories(root.resolve("sys/class/infiniband/rxe0"));
        assertThat(machine.whyNot(Transport.RDMA)).isEmpty();
    }

    @Test
    void shouldKnowADiskByTheNumberThatTheKernelGivesToEachOnce() throws IOException {
        write("dev/nvme0n1", "");
        write("sys/class/block/nvme0n1/size", "2048\n");
        write("sys/class/block/nvme0n1/diskseq", "17\n");
        write("sys/class/block/nvme0n1/queue/logical_block_size", "4096\n");
        // A device node of the tree is a file, which is told first; so the disk is asked for by a name that is not one.
        Path node = Files.createDirectory(root.resolve("dev/disk")).resolve("nvme0n1");
        Files.createDirectory(node);

        Device device = machine.inspect(node);

        assertThat(device).isEqualTo(new Device(1 << 20, 4096, false, "disk.17"));
    }

    @Test
    void shouldBypassThePageCacheForFilesWhereTheFileSystemLetsIt() throws IOException {
        Path file = Files.write(root.resolve("volume"), new byte[8192]);

        Device device = machine.inspect(file);

        assertThat(device.sizeBytes()).isEqualTo(8192);
        assertThat(device.needsPageCache()).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNeitherFileNorDisk() throws IOException {
        Path directory = Files.createDirectory(root.resolve("directory"));

        assertThatThrownBy(() -> machine.inspect(directory)).isInstanceOf(FileSystemException.class);
        assertThatThrownBy(() -> machine.inspect(root.resolve("absent"))).isInstanceOf(IOException.class);
    }

    private String missing() {
        return machine.missing().orElseThrow().code();
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void delete(String directory) throws IOException {
        try (var files = Files.walk(root.resolve(directory))) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
