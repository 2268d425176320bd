/**
 * Foreign code: C libraries of the head, called with jnr-ffi. {@link io.fairlead.ffi.Library} is how one is loaded; each has a package of
 * its own below this one, with the C names kept exactly in its {@code Lib*} interface and a Java face on top.
 *
 * <p>A library that is not there is an ordinary answer with a reason, never a crash: the head goes on without what needed it. Nothing
 * here knows NVMe, and nothing outside imports {@code jnr} or {@code java.lang.foreign.Linker}.
 */
package io.fairlead.ffi;
