package io.fairlead.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.types.u_int64_t;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryTest {

    private static final int PAGE = 4096;

    /** Public for jnr-ffi. */
    public interface Six {
        @u_int64_t
        long mmap(@u_int64_t long addr, @u_int64_t long length, int prot, int flags, int fd, @u_int64_t long offset);

        int munmap(@u_int64_t long addr, @u_int64_t long length);

        int open(String path, int flags);

        int close(int fd);
    }

    @Test
    void shouldSayWhatIsMissingInsteadOfFailing() {
        Library<Six> library = Library.load(Six.class, "libfairlead-has-none.so.9");

        assertThat(library).isInstanceOfSatisfying(Library.Missing.class, missing -> {
            assertThat(missing.name()).isEqualTo("libfairlead-has-none.so.9");
            assertThat(missing.why()).isNotBlank().doesNotContain("\n");
        });
    }

    @Test
    void shouldHandOverTheSixthArgumentUnharmed(@TempDir Path directory) throws Exception {
        byte[] pages = new byte[3 * PAGE];
        pages[2 * PAGE] = 42;
        Path file = Files.write(directory.resolve("pages"), pages);
        Six libc = ((Library.Loaded<Six>) Library.load(Six.class, "libc.so.6")).functions();

        int fd = libc.open(file.toString(), 0);
        long address = libc.mmap(0, PAGE, 1, 2, fd, 2 * PAGE);
        byte first = MemorySegment.ofAddress(address).reinterpret(PAGE).get(ValueLayout.JAVA_BYTE, 0);
        libc.munmap(address, PAGE);
        libc.close(fd);

        assertThat(first).isEqualTo((byte) 42);
    }
}
