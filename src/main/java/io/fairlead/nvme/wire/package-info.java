/**
 * The wire format as flyweights: static accessors over a {@link java.lang.foreign.MemorySegment}, with the specification's offsets as
 * constants. Little endian throughout.
 *
 * <p>Nothing here allocates, keeps state or decides. May use {@code nvme.spec} and the JDK.
 */
package io.fairlead.nvme.wire;
