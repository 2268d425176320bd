package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.LittleEndian.u16;
import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import java.lang.foreign.MemorySegment;

/** The Connect command and its 1024 bytes of data (NVM Express Base 2.0, section 6.3). */
public final class ConnectCommand {

    public static final int RECFMT_OFFSET = 40;
    public static final int QID_OFFSET = 42;
    public static final int SQSIZE_OFFSET = 44;
    public static final int CATTR_OFFSET = 46;
    public static final int KATO_OFFSET = 48;

    public static final int DATA_BYTES = 1024;
    public static final int HOSTID_OFFSET = 0;
    public static final int HOSTID_BYTES = 16;
    public static final int CNTLID_OFFSET = 16;
    public static final int SUBNQN_OFFSET = 256;
    public static final int HOSTNQN_OFFSET = 512;
    public static final int NQN_FIELD_BYTES = 256;

    /** The host asks for a new controller. */
    public static final int CNTLID_ANY = 0xFFFF;

    /** CATTR bit 2: the host does not look at SQHD. */
    public static final int CATTR_DISABLE_SQ_FLOW_CONTROL = 1 << 2;

    /** In the result of an invalid-parameter completion: the offset is one into the data. */
    public static final long INVALID_IN_DATA = 1L << 16;

    /** In the result of a good completion: the queue has to authenticate first (AUTHREQ, ATR). */
    public static final long AUTHENTICATION_REQUIRED = 1L << 17;

    private ConnectCommand() {}

    public static int recordFormat(MemorySegment sqe) {
        return u16(sqe, RECFMT_OFFSET);
    }

    public static int qid(MemorySegment sqe) {
        return u16(sqe, QID_OFFSET);
    }

    /** 0-based. */
    public static int sqSize(MemorySegment sqe) {
        return u16(sqe, SQSIZE_OFFSET);
    }

    public static int attributes(MemorySegment sqe) {
        return u8(sqe, CATTR_OFFSET);
    }

    /** In milliseconds; 0 for no keep-alive. */
    public static long keepAliveMillis(MemorySegment sqe) {
        return u32(sqe, KATO_OFFSET);
    }

    public static int cntlid(MemorySegment data) {
        return u16(data, CNTLID_OFFSET);
    }

    /** Null when the field has no end. */
    public static String subsystemNqn(MemorySegment data) {
        return LittleEndian.text(data, SUBNQN_OFFSET, NQN_FIELD_BYTES);
    }

    /** Null when the field has no end. */
    public static String hostNqn(MemorySegment data) {
        return LittleEndian.text(data, HOSTNQN_OFFSET, NQN_FIELD_BYTES);
    }
}
