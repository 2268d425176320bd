package io.fairlead.worker.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SignaturesTest {

    private static final int SIZE = 8 << 20;

    @TempDir
    Path directory;

    static Stream<Arguments> magics() {
        return Stream.of(
                Arguments.of("xfs", 0, text("XFSB")),
                Arguments.of("btrfs", 0x10040, text("_BHRfS_M")),
                Arguments.of("LVM2_member", 512, text("LABELONE")),
                Arguments.of("LVM2_member", 0, text("LABELONE")),
                Arguments.of("crypto_LUKS", 0, hex("4c554b53babe0002")),
                Arguments.of("crypto_LUKS", 0x4000, hex("534b554cbabe0002")),
                Arguments.of("swap", 4086, text("SWAPSPACE2")),
                Arguments.of("swap", 65526, text("SWAPSPACE2")),
                Arguments.of("linux_raid_member", 0, hex("fc4e2ba9")),
                Arguments.of("linux_raid_member", 4096, hex("fc4e2ba9")),
                // Version 0.90: the last 64 KiB that begin at a multiple of 64 KiB; either byte order.
                Arguments.of("linux_raid_member", SIZE - 65536, hex("fc4e2ba9")),
                Arguments.of("linux_raid_member", SIZE - 65536, hex("a92b4efc")),
                // Version 1.0: 8 KiB before the end.
                Arguments.of("linux_raid_member", SIZE - 8192, hex("fc4e2ba9")),
                Arguments.of("gpt", 512, text("EFI PART")),
                Arguments.of("gpt", 4096, text("EFI PART")),
                Arguments.of("gpt", SIZE - 512, text("EFI PART")),
                Arguments.of("bcache", 4096 + 24, hex("c68573f64e1a45ca8265f57f48ba6d81")),
                Arguments.of("zfs_member", 0x20000, hex("0cb1ba0000000000")),
                Arguments.of("zfs_member", 0x20000 + 0x2400, hex("0000000000bab10c")),
                Arguments.of("zfs_member", SIZE - 0x40000 + 0x20000, hex("0cb1ba0000000000")),
                Arguments.of("f2fs", 1024, hex("1020f5f2")),
                Arguments.of("ceph_bluestore", 0, text("bluestore block device\n")),
                Arguments.of("ntfs", 3, text("NTFS    ")),
                Arguments.of("exfat", 3, text("EXFAT   ")),
                Arguments.of("vfat", 82, text("FAT32   ")),
                Arguments.of("ext2", 1080, hex("53ef")));
    }

    @ParameterizedTest
    @MethodSource("magics")
    void shouldFindAMagicNumberWhereTheFormatPutsIt(String name, int offset, byte[] magic) throws Exception {
        byte[] content = new byte[SIZE];
        System.arraycopy(magic, 0, content, offset, magic.length);

        assertThat(found(content)).isEqualTo(name);
        // One bit off is something else.
        int significant = offset;
        while (content[significant] == 0) {
            significant++;
        }
        content[significant] ^= 0x01;
        assertThat(found(content)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"4,0,0,ext3", "4,2,1,ext3", "0,2,1,ext2", "4,66,1,ext4", "4,2,8,ext4", "0,64,0,ext4"})
    void shouldTellTheGenerationsOfExtApartByTheirFeatures(
            int compatible, int incompatible, int readOnlyCompatible, String name) throws Exception {
        ByteBuffer content = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        content.putShort(1080, (short) 0xEF53);
        content.putInt(1024 + 92, compatible);
        content.putInt(1024 + 96, incompatible);
        content.putInt(1024 + 100, readOnlyCompatible);

        assertThat(found(content.array())).isEqualTo(name);
    }

    @Test
    void shouldFindAPartitionTableOfTheOldKindOnlyWithAPartitionInIt() throws Exception {
        byte[] content = new byte[SIZE];
        content[510] = 0x55;
        content[511] = (byte) 0xAA;
        assertThat(found(content)).isEmpty();

        content[446 + 4] = (byte) 0x83;
        assertThat(found(content)).isEqualTo("dos");
    }

    @Test
    void shouldNameAllThatItFindsInOneOrder() throws Exception {
        byte[] content = new byte[SIZE];
        System.arraycopy(text("XFSB"), 0, content, 0, 4);
        System.arraycopy(text("EFI PART"), 0, content, 512, 8);
        System.arraycopy(text("_BHRfS_M"), 0, content, 0x10040, 8);

        assertThat(found(content)).isEqualTo("btrfs+gpt+xfs");
    }

    @Test
    void shouldFindNothingOnABlankDeviceOfAnySize() throws Exception {
        for (int size : List.of(0, 1, 511, 512, 4096, 65536, 262_144, 524_288, SIZE)) {
            assertThat(found(new byte[size])).as("%d bytes", size).isEmpty();
        }
    }

    @Test
    void shouldReadAnythingWithoutFailing() throws Exception {
        long seed = 20261201;
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            byte[] content = new byte[random.nextInt(1 << 20)];
            random.nextBytes(content);
            assertThat(found(content)).as("seed %d round %d", seed, round).isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/sbin/mkfs.ext2,ext2", "/usr/sbin/mkfs.ext3,ext3", "/usr/sbin/mkfs.ext4,ext4",
        "/usr/sbin/mkswap,swap", "/usr/sbin/mkfs.xfs,xfs", "/usr/sbin/mkfs.btrfs,btrfs"
    })
    void shouldRecogniseWhatTheRealToolMakes(String tool, String name) throws Exception {
        assumeThat(Path.of(tool)).as("installed here").isExecutable();
        Path file = directory.resolve("made");
        try (RandomAccessFile empty = new RandomAccessFile(file.toFile(), "rw")) {
            empty.setLength(512L << 20);
        }
        Process process = new ProcessBuilder(tool, file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();

        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(Signatures.find(channel, channel.size())).isEqualTo(name);
        }
    }

    private String found(byte[] content) throws IOException {
        Path file = Files.write(directory.resolve("device"), content);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return Signatures.find(channel, content.length);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
