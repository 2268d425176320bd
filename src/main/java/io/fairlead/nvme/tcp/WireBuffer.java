package io.fairlead.nvme.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Off-heap bytes seen in the two ways that this work needs: as a direct {@link ByteBuffer} for sockets, files and CRC32C, and as a
 * {@link MemorySegment} for the flyweights. Both views are made once, because making them costs an allocation.
 */
public final class WireBuffer {

    private final ByteBuffer bytes;
    private final ByteBuffer digestView;
    private final MemorySegment segment;

    private WireBuffer(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.digestView = bytes.duplicate();
        this.segment = MemorySegment.ofBuffer(bytes.duplicate().clear());
    }

    public static WireBuffer allocate(int capacityBytes) {
        return new WireBuffer(ByteBuffer.allocateDirect(capacityBytes));
    }

    /** With the first byte at a multiple of {@code alignmentBytes}, a power of two. */
    public static WireBuffer allocateAligned(int capacityBytes, int alignmentBytes) {
        ByteBuffer whole = ByteBuffer.allocateDirect(Math.addExact(capacityBytes, alignmentBytes));
        int skip = (alignmentBytes - whole.alignmentOffset(0, alignmentBytes)) & (alignmentBytes - 1);
        return new WireBuffer(whole.slice(skip, capacityBytes));
    }

    /** A part of these bytes, which shares them. */
    public WireBuffer slice(int offset, int lengthBytes) {
        return new WireBuffer(bytes.slice(offset, lengthBytes));
    }

    /** For channels, which move its position and limit; everything else here uses absolute offsets. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public MemorySegment segment() {
        return segment;
    }

    public int capacity() {
        return bytes.capacity();
    }

    void feed(CRC32C crc, int from, int length) {
        digestView.limit(from + length).position(from);
        crc.update(digestView);
    }
}
