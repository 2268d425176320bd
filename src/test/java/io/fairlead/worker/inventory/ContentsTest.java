package io.fairlead.worker.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.ffi.blkid.Blkid;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files that look like devices; the lab does it on real ones. */
class ContentsTest {

    private static final int SIZE = 16 << 20;

    private final Contents both = new Contents(Blkid.load());
    private final Contents alone = new Contents(Blkid.load("libblkid-has-none.so.1"));

    @TempDir
    Path directory;

    private Path device;

    @BeforeEach
    void make() throws IOException {
        device = directory.resolve("device");
        put(SIZE - 1, new byte[1]);
    }

    private void put(long offset, byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        }
    }

    /** Something that only libblkid knows. */
    private void putSquashfs() throws IOException {
        ByteBuffer superblock = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
        superblock.put(0, "hsqs".getBytes(StandardCharsets.US_ASCII));
        superblock.putShort(28, (short) 4);
        put(0, superblock.array());
    }

    private void requireBlkid() throws IOException {
        Path blank = directory.resolve("squash");
        Path before = device;
        device = blank;
        put(SIZE - 1, new byte[1]);
        putSquashfs();
        assumeThat(both.read(blank, SIZE)).as("libblkid is there").isNotEqualTo(new Content.Blank());
        device = before;
    }

    @Test
    void shouldFindNothingOnABlankDriveWithOrWithoutTheLibrary() {
        assertThat(both.read(device, SIZE)).isEqualTo(new Content.Blank());
        assertThat(alone.read(device, SIZE)).isEqualTo(new Content.Blank());
    }

    @Test
    void shouldCountWhatOnlyTheLibraryFinds() throws Exception {
        requireBlkid();
        putSquashfs();

        assertThat(alone.read(device, SIZE)).isEqualTo(new Content.Blank());
        assertThat(both.read(device, SIZE)).isEqualTo(new Content.Data("squashfs", "squashfs", false));
    }

    @Test
    void shouldCountWhatOnlyOurOwnLookFinds() throws Exception {
        // Damaged beyond what the library accepts, and still somebody's.
        put(512, "EFI PART".getBytes(StandardCharsets.US_ASCII));

        assertThat(both.read(device, SIZE)).isEqualTo(new Content.Data("gpt", "gpt", true));
    }

    @Test
    void shouldAskForConsentToAllThatEitherFinds() throws Exception {
        requireBlkid();
        put(512, "EFI PART".getBytes(StandardCharsets.US_ASCII));
        putSquashfs();

        assertThat(both.read(device, SIZE)).isEqualTo(new Content.Data("gpt+squashfs", "gpt, squashfs", false));
    }

    @Test
    void shouldNotCallADriveBlankThatItCannotRead() {
        assertThat(both.read(directory.resolve("gone"), SIZE)).isInstanceOf(Content.Unreadable.class);
    }
}
