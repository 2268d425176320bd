package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u64;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import java.lang.foreign.MemorySegment;

/** Property Get and Property Set (NVM Express Base 2.0, sections 6.5 and 6.6), and the properties of section 3.1.3. */
public final class PropertyCommand {

    public static final int ATTRIB_OFFSET = 40;
    public static final int PROPERTY_OFFSET = 44;
    public static final int VALUE_OFFSET = 48;

    public static final int CAP = 0x00;
    public static final int VS = 0x08;
    public static final int CC = 0x14;
    public static final int CSTS = 0x1C;
    public static final int CRTO = 0x68;

    private PropertyCommand() {}

    /** 4 or 8; 0 for a size that does not exist. */
    public static int bytes(MemorySegment sqe) {
        return switch (u8(sqe, ATTRIB_OFFSET) & 0b111) {
            case 0 -> 4;
            case 1 -> 8;
            default -> 0;
        };
    }

    public static long property(MemorySegment sqe) {
        return u32(sqe, PROPERTY_OFFSET);
    }

    public static long value(MemorySegment sqe) {
        return u64(sqe, VALUE_OFFSET);
    }
}
