/**
 * The NVMe/TCP transport binding without sockets: PDUs as flyweights, the incremental reader, the writer, digests, and the accounting
 * of R2T. It serves both directions, so target and initiator share it.
 *
 * <p>All references are to the NVM Express TCP Transport Specification, revision 1.0. Bytes live in {@link
 * io.fairlead.nvme.tcp.WireBuffer}; nothing here allocates per PDU, reads a clock or starts a thread. What is wrong with a PDU is a
 * {@link io.fairlead.nvme.tcp.PduFault}, which always ends the connection; what is wrong with a command is not seen at this level.
 * May use the JDK only.
 */
package io.fairlead.nvme.tcp;
