package io.fairlead.ffi;

import java.util.function.Function;
import jnr.ffi.LibraryLoader;

/**
 * A C library as it was found on this machine.
 *
 * @param <T> the interface with its functions
 */
public sealed interface Library<T> {

    /** It is there. */
    record Loaded<T>(T functions) implements Library<T> {}

    /**
     * It is not, or it cannot be used.
     *
     * @param name as it was looked for: {@code libblkid.so.1}
     * @param why what the dynamic linker said
     */
    record Missing<T>(String name, String why) implements Library<T> {}

    /**
     * Loads a library by its soname, whose number is the version of its binary interface.
     *
     * <p>jnr-ffi's own x86-64 stubs hand over a wrong sixth integer argument (seen with 2.2.17), so they are switched off; a call then
     * costs about a nanosecond more.
     */
    static <T> Library<T> load(Class<T> functions, String soname) {
        if (System.getProperty("jnr.ffi.x86asm.enabled") == null) {
            System.setProperty("jnr.ffi.x86asm.enabled", "false");
        }
        try {
            return new Loaded<>(
                    LibraryLoader.create(functions).failImmediately().load(soname));
        } catch (LinkageError | RuntimeException e) {
            String said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            return new Missing<>(soname, said.lines().findFirst().orElse(said));
        }
    }

    /** What the library answers, or what stands in for it when it is missing. */
    default <R> R with(Function<T, R> loaded, Function<Missing<T>, R> missing) {
        return switch (this) {
            case Loaded<T> library -> loaded.apply(library.functions());
            case Missing<T> absent -> missing.apply(absent);
        };
    }
}
