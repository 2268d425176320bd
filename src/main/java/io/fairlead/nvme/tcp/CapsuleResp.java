package io.fairlead.nvme.tcp;

/** Response Capsule (section 3.6.2.7): the completion queue entry. */
public final class CapsuleResp {

    public static final int HEADER_BYTES = 24;
    public static final int CQE_OFFSET = 8;
    public static final int CQE_BYTES = 16;

    private CapsuleResp() {}
}
