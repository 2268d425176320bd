package io.fairlead.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorTest {

    /** How many bytes can be read now (asm-generic/ioctls.h): every file answers it. */
    private static final long FIONREAD = 0x541B;
    /** The size of a block device (linux/fs.h): a file does not answer it. */
    private static final long BLKGETSIZE64 = 0x80081272L;

    @TempDir
    Path directory;

    @Test
    void shouldAskTheKernelAndReadWhatItWrote() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[1234]);
        try (Arena arena = Arena.ofConfined();
                Descriptor descriptor = Descriptor.open(file)) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);

            assertThat(descriptor.ioctl(FIONREAD, count)).isZero();
            assertThat(count.get(ValueLayout.JAVA_INT, 0)).isEqualTo(1234);
        }
    }

    @Test
    void shouldTellTheNumberAndTheWordsOfARefusal() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        try (Arena arena = Arena.ofConfined();
                Descriptor descriptor = Descriptor.open(file)) {
            SystemCallFault fault = catchThrowableOfType(
                    SystemCallFault.class, () -> descriptor.ioctl(BLKGETSIZE64, arena.allocate(ValueLayout.JAVA_LONG)));

            assertThat(fault.errno()).isEqualTo(Errno.ENOTTY);
            assertThat(fault).hasMessageContaining("0x80081272").hasMessageContaining("nappropriate ioctl");
            assertThat(fault.isPermission()).isFalse();
        }
    }

    @Test
    void shouldTellThatAFileIsNotThere() {
        SystemCallFault fault =
                catchThrowableOfType(SystemCallFault.class, () -> Descriptor.open(directory.resolve("absent")));

        assertThat(fault.errno()).isEqualTo(Errno.ENOENT);
        assertThat(fault.isGone()).isTrue();
    }

    @Test
    void shouldRefuseMemoryThatTheKernelCannotReach() throws IOException {
        try (Descriptor descriptor = Descriptor.open(directory)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> descriptor.ioctl(FIONREAD, MemorySegment.ofArray(new int[1])));
        }
    }

    /** The number of a closed descriptor may be another file's. */
    @Test
    void shouldNotBeUsedAfterItIsClosed() throws IOException {
        Descriptor descriptor = Descriptor.open(directory);
        descriptor.close();
        descriptor.close();

        assertThatIllegalStateException().isThrownBy(descriptor::number);
    }
}
