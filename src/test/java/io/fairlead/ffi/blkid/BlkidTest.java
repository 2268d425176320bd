package io.fairlead.ffi.blkid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.ffi.blkid.Blkid.Answer;
import io.fairlead.ffi.blkid.Blkid.Finding;
import io.fairlead.ffi.libc.Descriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files that look like devices; the lab does it on real ones. */
class BlkidTest {

    private static final int SIZE = 16 << 20;
    private static final String UUID = "01234567-89ab-cdef-0123-456789abcdef";

    @TempDir
    Path directory;

    private Path device;

    @BeforeEach
    void make() throws IOException {
        device = directory.resolve("device");
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "rw")) {
            file.setLength(SIZE);
        }
    }

    @Test
    void shouldSayThatThereIsNoLibrary() throws IOException {
        try (Descriptor descriptor = Descriptor.open(device)) {
            assertThat(Blkid.load("libblkid-has-none.so.1").probe(descriptor))
                    .isInstanceOfSatisfying(
                            Answer.Missing.class,
                            missing -> assertThat(missing.name()).isEqualTo("libblkid-has-none.so.1"));
        }
    }

    @Test
    void shouldFindNothingOnABlankDevice() throws IOException {
        assertThat(probe()).isEqualTo(new Answer.Blank());
    }

    @Test
    void shouldTellTypeLabelAndIdentityOfAFileSystem() throws Exception {
        run("mke2fs", "-q", "-t", "ext4", "-L", "backup", "-U", UUID, device.toString());

        assertThat(probe())
                .isEqualTo(new Answer.Found(
                        List.of(new Finding("ext4", "filesystem", Optional.of("backup"), Optional.of(UUID))), false));
    }

    @Test
    void shouldFindADamagedFileSystemToo() throws Exception {
        run("mke2fs", "-q", "-t", "ext4", "-O", "metadata_csum", device.toString());
        write(1024 + 0x150, new byte[] {1});

        assertThat(types()).containsExactly("ext4");
    }

    @Test
    void shouldFindASwapArea() throws Exception {
        run("mkswap", "-q", device.toString());

        assertThat(types()).containsExactly("swap");
    }

    @Test
    void shouldNameAPartitionTable() throws IOException {
        byte[] entry = new byte[66];
        entry[4] = (byte) 0x83;
        entry[8] = 8;
        entry[12] = 8;
        entry[64] = 0x55;
        entry[65] = (byte) 0xAA;
        write(446, entry);

        assertThat(probe())
                .isInstanceOfSatisfying(
                        Answer.Found.class,
                        found -> assertThat(found.findings()).singleElement().satisfies(finding -> {
                            assertThat(finding.type()).isEqualTo("dos");
                            assertThat(finding.usage()).isEqualTo("partitions");
                        }));
    }

    @Test
    void shouldNameAllThatContradictEachOther() throws Exception {
        run("mke2fs", "-q", "-t", "ext4", device.toString());
        // The superblock of JFS is at 32 KiB, where ext4 needs nothing to be recognized.
        ByteBuffer jfs = ByteBuffer.allocate(184).order(ByteOrder.LITTLE_ENDIAN);
        jfs.put("JFS1".getBytes(StandardCharsets.US_ASCII)).putInt(1).putLong(1000);
        jfs.putInt(4096).putShort((short) 12).putShort((short) 3).putInt(512).putShort((short) 9);
        write(0x8000, jfs.array());

        assertThat(probe()).isInstanceOfSatisfying(Answer.Found.class, found -> {
            assertThat(found.isAmbivalent()).isTrue();
            assertThat(found.findings()).extracting(Finding::type).containsExactlyInAnyOrder("ext4", "jfs");
        });
    }

    @Test
    void shouldTakeALabelForWhatItIs() throws Exception {
        run("mke2fs", "-q", "-t", "ext4", device.toString());
        write(1024 + 0x78, "a\nb\u0007c".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(probe())
                .isInstanceOfSatisfying(
                        Answer.Found.class,
                        found -> assertThat(found.findings().getFirst().label()).contains("abc"));
    }

    private Answer probe() throws IOException {
        try (Descriptor descriptor = Descriptor.open(device)) {
            Answer answer = Blkid.load().probe(descriptor);
            assumeThat(answer).as("libblkid is on this machine").isNotInstanceOf(Answer.Missing.class);
            return answer;
        }
    }

    private List<String> types() throws IOException {
        return probe() instanceof Answer.Found found
                ? found.findings().stream().map(Finding::type).toList()
                : List.of();
    }

    private void write(long offset, byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        }
    }

    /** Runs a tool that a machine may not have. */
    private static void run(String tool, String... arguments) throws Exception {
        Optional<Path> found = List.of("/usr/sbin", "/sbin", "/usr/bin").stream()
                .map(place -> Path.of(place, tool))
                .filter(Files::isExecutable)
                .findFirst();
        assumeThat(found).as(tool + " is on this machine").isPresent();
        List<String> command = new ArrayList<>(List.of(found.get().toString()));
        Collections.addAll(command, arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).as(tool).isZero();
    }
}
