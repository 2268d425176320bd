package io.fairlead.nvme.wire;

/** Offsets of the Identify Namespace data structures (NVM Command Set 1.0, figure 97; NVM Express Base 2.0, figures 277 and 280). */
public final class IdentifyNamespace {

    public static final int BYTES = 4096;

    public static final int NSZE_OFFSET = 0;
    public static final int NCAP_OFFSET = 8;
    public static final int NUSE_OFFSET = 16;
    public static final int NSFEAT_OFFSET = 24;
    public static final int NMIC_OFFSET = 30;
    public static final int ANAGRPID_OFFSET = 92;
    public static final int NGUID_OFFSET = 104;
    public static final int NGUID_BYTES = 16;
    public static final int EUI64_OFFSET = 120;
    public static final int EUI64_BYTES = 8;
    public static final int LBAF0_LBADS_OFFSET = 130;

    /** I/O Command Set Independent Identify Namespace. */
    public static final int INDEPENDENT_NMIC_OFFSET = 1;

    public static final int INDEPENDENT_ANAGRPID_OFFSET = 4;
    public static final int INDEPENDENT_NSTAT_OFFSET = 14;

    /** Namespace Identification Descriptor types. */
    public static final int NIDT_EUI64 = 1;

    public static final int NIDT_NGUID = 2;
    public static final int NIDT_UUID = 3;
    public static final int NIDT_CSI = 4;
    public static final int DESCRIPTOR_HEADER_BYTES = 4;

    private IdentifyNamespace() {}
}
