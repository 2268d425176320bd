package io.fairlead.nvme.tcp;

/** Command Capsule (section 3.6.2.6): the submission queue entry, then perhaps data. */
public final class CapsuleCmd {

    public static final int HEADER_BYTES = 72;
    public static final int SQE_OFFSET = 8;
    public static final int SQE_BYTES = 64;

    private CapsuleCmd() {}
}
