package io.fairlead.worker.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.contract.DriveReport;
import io.fairlead.contract.DriveReport.InUseReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryTest {

    private static final String FIRST = "eui.0011223344556677";
    private static final String SECOND = "eui.8899aabbccddeeff";
    private static final byte[] XFS = "XFSB".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path root;

    private FakeMachine machine;

    @BeforeEach
    void plugIn() throws IOException {
        machine = new FakeMachine(root);
        machine.nvme("nvme0n1", "259:0", "00 11 22 33 44 55 66 77");
        machine.nvme("nvme1n1", "259:1", "88 99 aa bb cc dd ee ff");
    }

    @Test
    void shouldReportADriveAsItIs() {
        DriveReport drive = report(FIRST);

        assertThat(drive.kind()).isEqualTo("nvme");
        assertThat(drive.deviceName()).isEqualTo("nvme0n1");
        assertThat(drive.model()).isEqualTo("Model X");
        assertThat(drive.serial()).isEqualTo("S-0011223344556677");
        assertThat(drive.sizeBytes()).isEqualTo(8 * FakeMachine.MEBIBYTE);
        assertThat(drive.lbaBytes()).isEqualTo(512);
        assertThat(drive.rotation()).isEqualTo(DriveReport.Rotation.SOLID_STATE);
        assertThat(drive.inUse()).isEmpty();
    }

    /** CASES, reserve: device names move. */
    @Test
    void shouldFindADriveByWhatItIsWhenKernelNamesAreSwapped() throws Exception {
        assertThat(machine.inventory().find(FIRST)).isEqualTo(machine.device("nvme0n1"));
        machine.unplug("nvme0n1");
        machine.unplug("nvme1n1");
        machine.nvme("nvme0n1", "259:0", "88 99 aa bb cc dd ee ff");
        machine.nvme("nvme1n1", "259:1", "00 11 22 33 44 55 66 77");

        assertThat(machine.inventory().find(FIRST)).isEqualTo(machine.device("nvme1n1"));
        assertThat(machine.inventory().find(SECOND)).isEqualTo(machine.device("nvme0n1"));
    }

    @Test
    void shouldWaitForADriveThatIsNotThere() throws Exception {
        machine.unplug("nvme0n1");

        DriveFault fault =
                catchThrowableOfType(DriveFault.class, () -> machine.inventory().find(FIRST));

        assertThat(fault.kind()).isEqualTo(DriveFault.Kind.NOT_YET);
        assertThat(fault.reason().code()).isEqualTo("drive.absent");
    }

    @Test
    void shouldIdentifyEachKindOfDriveByTheBestThatItHas() throws Exception {
        machine.drive(
                "nvme2n1",
                "259:2",
                FakeMachine.MEBIBYTE,
                Map.of("nguid", "01234567-89ab-cdef-0123-456789abcdef", "eui", "00 00 00 00 00 00 00 01"));
        machine.drive(
                "nvme3n1",
                "259:3",
                FakeMachine.MEBIBYTE,
                Map.of(
                        "nguid", "00000000-0000-0000-0000-000000000000",
                        "eui", "00 00 00 00 00 00 00 00",
                        "uuid", "11111111-2222-3333-4444-555555555555"));
        machine.drive("sda", "8:0", FakeMachine.MEBIBYTE, Map.of("device/wwid", "naa.5000c500a0b1c2d3"));
        machine.drive("sdb", "8:16", FakeMachine.MEBIBYTE, Map.of());
        machine.write("run/udev/data/b8:16", "S:disk/by-id/x\nE:ID_WWN_WITH_EXTENSION=0x5000c500ffffffff\n");
        machine.drive("vda", "254:0", FakeMachine.MEBIBYTE, Map.of("serial", "disk-7", "device/model", "Virtual Disk"));

        assertThat(machine.inventory().scan(Set.of(), Set.of()))
                .extracting(DriveReport::identity)
                .containsExactlyInAnyOrder(
                        FIRST,
                        SECOND,
                        "nguid.0123456789abcdef0123456789abcdef",
                        "uuid.11111111222233334444555555555555",
                        "wwn.5000c500a0b1c2d3",
                        "wwn.5000c500ffffffff",
                        "serial.Virtual_Disk_disk-7");
    }

    @Test
    void shouldNotExportADriveWithoutAnIdentity() throws Exception {
        machine.drive("vdb", "254:16", FakeMachine.MEBIBYTE, Map.of());

        assertThat(codes("unidentified.vdb")).containsExactly("unreadable");
    }

    @Test
    void shouldNotGuessBetweenTwoDevicesOfOneIdentity() throws Exception {
        machine.nvme("nvme5n1", "259:5", "00 11 22 33 44 55 66 77");

        assertThat(machine.inventory().scan(Set.of(), Set.of())).hasSize(2);
        assertThat(catchThrowableOfType(
                                DriveFault.class, () -> machine.inventory().find(FIRST))
                        .reason()
                        .text())
                .contains("nvme0n1, nvme5n1");
    }

    @Test
    void shouldLeaveOutWhatIsNoDrive() throws Exception {
        for (String name : List.of("loop0", "ram0", "zram0", "dm-0", "md127", "sr0")) {
            machine.drive(name, "7:0", FakeMachine.MEBIBYTE, Map.of("serial", name));
        }
        machine.drive("nvme0c0n1", "0:0", FakeMachine.MEBIBYTE, Map.of("hidden", "1", "serial", "x"));
        machine.drive("sdz", "8:32", 0, Map.of("serial", "empty card reader"));

        assertThat(machine.inventory().scan(Set.of(), Set.of()))
                .extracting(DriveReport::identity)
                .containsExactly(FIRST, SECOND);
    }

    @Test
    void shouldRefuseAMountedDriveWhateverIsAgreed() throws Exception {
        machine.content("nvme0n1", 0, XFS);
        machine.mount("259:0", "/data");

        assertThat(codes(FIRST)).containsExactly("mounted", "signature");
        assertRefused(FIRST, "xfs");
        assertThat(catchThrowableOfType(
                        DriveFault.class, () -> machine.inventory().find(FIRST)))
                .isNotNull();
    }

    @Test
    void shouldRefuseADriveWhosePartitionIsTheRootFileSystem() throws Exception {
        machine.partition("nvme0n1", "nvme0n1p1", "259:7");
        machine.mount("259:7", "/");

        assertThat(codes(FIRST)).contains("boot_device", "mounted");
        assertRefused(FIRST, "");
    }

    @Test
    void shouldFollowHoldersUpToTheRootFileSystem() throws Exception {
        machine.partition("nvme0n1", "nvme0n1p2", "259:8");
        machine.holder("nvme0n1/nvme0n1p2", "md127", "9:127");
        machine.holder("md127", "dm-0", "253:0");
        machine.mount("253:0", "/");

        assertThat(codes(FIRST)).contains("boot_device", "holder");
        assertRefused(FIRST, "gpt");
    }

    @Test
    void shouldRefuseASwapDevice() throws Exception {
        machine.write("proc/swaps", "Filename\tType\tSize\n/dev/nvme0n1 partition 1024 0 -2\n");

        assertThat(codes(FIRST)).containsExactly("swap");
        assertRefused(FIRST, "swap");
    }

    @Test
    void shouldRefuseADriveThatAVolumeManagerHolds() throws Exception {
        machine.holder("nvme0n1", "dm-3", "253:3");

        assertThat(codes(FIRST)).containsExactly("holder");
        assertRefused(FIRST, "LVM2_member");
    }

    @Test
    void shouldNameWhatHoldsADriveAsItsOwnerKnowsIt() throws Exception {
        machine.holder("nvme0n1", "dm-3", "253:3");
        machine.write("sys/block/dm-3/dm/name", "data-home\n");
        machine.write("sys/block/dm-3/dm/uuid", "LVM-abc\n");
        machine.holder("nvme0n1", "md127", "9:127");
        machine.write("sys/block/md127/md/level", "raid1\n");
        machine.mount("259:0", "/srv/home");
        machine.mount("259:0", "/mnt");

        assertThat(report(FIRST).inUse())
                .extracting(InUseReason::text)
                .containsExactly(
                        "The drive, or a partition of it, is mounted on this machine at /mnt, /srv/home.",
                        "In use by the LVM volume data-home (dm-3), the md array md127.");
    }

    @Test
    void shouldExportADriveWithDataOnlyWhenExactlyThatDataIsGivenUp() throws Exception {
        machine.content("nvme0n1", 0, XFS);

        assertThat(report(FIRST).inUse()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo("signature");
            assertThat(reason.signature()).contains("xfs");
        });
        assertRefused(FIRST, "");
        assertRefused(FIRST, "ext4");
        assertThat(machine.inventory().findUnused(FIRST, "xfs")).isEqualTo(machine.device("nvme0n1"));
    }

    @Test
    void shouldTakeABlankDriveWhateverIsAgreed() throws Exception {
        assertThat(machine.inventory().findUnused(FIRST, "")).isEqualTo(machine.device("nvme0n1"));
        assertThat(machine.inventory().findUnused(FIRST, "ext4")).isEqualTo(machine.device("nvme0n1"));
    }

    @Test
    void shouldTellAPartitionTableFromOtherData() throws Exception {
        machine.content("nvme0n1", 512, "EFI PART".getBytes(StandardCharsets.US_ASCII));

        assertThat(report(FIRST).inUse()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo("partitions");
            assertThat(reason.signature()).contains("gpt");
        });
    }

    @Test
    void shouldNotLookAtTheDataOfHosts() throws Exception {
        machine.content("nvme0n1", 0, XFS);

        assertThat(machine.inventory().scan(Set.of(FIRST), Set.of()))
                .filteredOn(drive -> drive.identity().equals(FIRST))
                .singleElement()
                .satisfies(drive ->
                        assertThat(drive.inUse()).extracting(InUseReason::code).containsExactly("exported"));
        assertThat(machine.inventory().find(FIRST)).isEqualTo(machine.device("nvme0n1"));
    }

    @Test
    void shouldSayThatADriveCannotBeRead() throws Exception {
        Files.delete(machine.device("nvme0n1"));

        assertThat(codes(FIRST)).containsExactly("unreadable");
        assertRefused(FIRST, "");
    }

    @Test
    void shouldCountNamedFilesAsDrives() throws Exception {
        Path file = Files.write(root.resolve("drive.img"), new byte[4096 + 100]);
        Inventory inventory = machine.inventory(file, root.resolve("missing.img"));

        assertThat(inventory.scan(Set.of(), Set.of()))
                .filteredOn(drive -> drive.kind().equals("file"))
                .satisfiesExactly(
                        present -> {
                            assertThat(present.identity()).isEqualTo("file." + file);
                            assertThat(present.sizeBytes()).isEqualTo(4096);
                            assertThat(present.inUse()).isEmpty();
                        },
                        absent -> assertThat(absent.inUse())
                                .extracting(InUseReason::code)
                                .contains("unreadable"));
        assertThat(inventory.findUnused("file." + file, "")).isEqualTo(file);
    }

    @Test
    void shouldRefuseAFileUnderALoopDevice() throws Exception {
        Path file = Files.write(root.resolve("drive.img"), new byte[4096]);
        machine.write("sys/block/loop3/loop/backing_file", file + "\n");

        assertThat(catchThrowableOfType(
                                DriveFault.class, () -> machine.inventory(file).findUnused("file." + file, ""))
                        .reason()
                        .text())
                .contains("loop device");
    }

    @Test
    void shouldReadTheMachineThatItRunsOn() {
        assertThat(new Inventory(Path.of("/"), List.of(), FakeMachine.unwatched(), System::nanoTime)
                        .scan(Set.of(), Set.of()))
                .allSatisfy(drive -> assertThat(drive.sizeBytes()).isPositive());
    }

    private DriveReport report(String identity) {
        return machine.inventory().scan(Set.of(), Set.of()).stream()
                .filter(drive -> drive.identity().equals(identity))
                .findFirst()
                .orElseThrow();
    }

    private List<String> codes(String identity) {
        return report(identity).inUse().stream().map(InUseReason::code).toList();
    }

    private void assertRefused(String identity, String agreedSignature) {
        DriveFault fault =
                catchThrowableOfType(DriveFault.class, () -> machine.inventory().findUnused(identity, agreedSignature));
        assertThat(fault).as("agreed %s", agreedSignature).isNotNull();
        assertThat(fault.kind()).isEqualTo(DriveFault.Kind.BROKEN);
        assertThat(fault.reason().code()).isEqualTo("drive.in_use");
    }
}
