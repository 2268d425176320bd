package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.FabricCommand;
import io.fairlead.nvme.target.TargetQueue.DataLoss;
import io.fairlead.nvme.tcp.WireBuffer;
import java.nio.ByteBuffer;

/**
 * What the transport keeps with a command: its data buffer, the memory of the PDU headers that it will need, and who holds it. Used by
 * the poll group's thread only, again and again.
 */
final class TcpCommand {

    /** Bytes of {@link #headers} that a command needs. */
    static final int HEADERS_BYTES = 256;

    static final int R2T_OFFSET = 0;
    static final int DATA_HEADER_OFFSET = 32;
    /** Behind a data header of at most 128 bytes: the data digest, then the response. */
    static final int TRAILER_OFFSET = 160;

    /** Who holds the command. */
    enum Holder {
        /** Nobody: it is free. */
        NOBODY,
        /** The reader, the target, or a device. */
        TARGET,
        /** The send queue: its answer is on the way. */
        SENDER
    }

    final FabricCommand fabric;
    final TcpConnection connection;
    final WireBuffer headers;
    final ByteBuffer r2tPart;
    final ByteBuffer dataHeaderPart;
    final ByteBuffer trailerPart;

    Holder holder = Holder.NOBODY;
    BufferPool.Buffer buffer;
    /** Operations that a device has not ended yet. */
    int atDevice;
    /** Why the data is not what the host sent, or null while it is. */
    DataLoss loss;

    TcpCommand(FabricCommand fabric, TcpConnection connection, WireBuffer headers) {
        this.fabric = fabric;
        this.connection = connection;
        this.headers = headers;
        this.r2tPart = headers.bytes().duplicate();
        this.dataHeaderPart = headers.bytes().duplicate();
        this.trailerPart = headers.bytes().duplicate();
        fabric.transportContext(this);
    }
}
