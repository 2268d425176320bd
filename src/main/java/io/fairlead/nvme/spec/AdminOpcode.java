package io.fairlead.nvme.spec;

/** Opcodes of the admin queue (NVM Express Base 2.0, section 5). */
public final class AdminOpcode {

    public static final int GET_LOG_PAGE = 0x02;
    public static final int IDENTIFY = 0x06;
    public static final int ABORT = 0x08;
    public static final int SET_FEATURES = 0x09;
    public static final int GET_FEATURES = 0x0A;
    public static final int ASYNCHRONOUS_EVENT_REQUEST = 0x0C;
    public static final int KEEP_ALIVE = 0x18;
    /** On every queue. */
    public static final int FABRICS = 0x7F;

    private AdminOpcode() {}
}
