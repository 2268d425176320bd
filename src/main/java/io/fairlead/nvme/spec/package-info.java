/**
 * The NVMe specifications as data: opcodes, status codes, limits, qualified names, textual keys. Each type cites document, revision and
 * section.
 *
 * <p>Values only: nothing here reads a clock, starts a thread or does I/O, and randomness is passed in. May use the JDK only, so that
 * the management plane and the protocol library share one truth about what a well-formed value is.
 */
package io.fairlead.nvme.spec;
