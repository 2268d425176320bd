package io.fairlead.nvme.wire;

/** Offsets of the Identify Controller data structure (NVM Express Base 2.0, figure 275). */
public final class IdentifyController {

    public static final int BYTES = 4096;

    public static final int SN_OFFSET = 4;
    public static final int SN_BYTES = 20;
    public static final int MN_OFFSET = 24;
    public static final int MN_BYTES = 40;
    public static final int FR_OFFSET = 64;
    public static final int FR_BYTES = 8;
    public static final int CMIC_OFFSET = 76;
    public static final int MDTS_OFFSET = 77;
    public static final int CNTLID_OFFSET = 78;
    public static final int VER_OFFSET = 80;
    public static final int OAES_OFFSET = 92;
    public static final int CTRATT_OFFSET = 96;
    public static final int CNTRLTYPE_OFFSET = 111;
    public static final int ACL_OFFSET = 258;
    public static final int AERL_OFFSET = 259;
    public static final int FRMW_OFFSET = 260;
    public static final int LPA_OFFSET = 261;
    public static final int KAS_OFFSET = 320;
    public static final int ANATT_OFFSET = 342;
    public static final int ANACAP_OFFSET = 343;
    public static final int ANAGRPMAX_OFFSET = 344;
    public static final int NANAGRPID_OFFSET = 348;
    public static final int SQES_OFFSET = 512;
    public static final int CQES_OFFSET = 513;
    public static final int MAXCMD_OFFSET = 514;
    public static final int NN_OFFSET = 516;
    public static final int ONCS_OFFSET = 520;
    public static final int VWC_OFFSET = 525;
    public static final int SGLS_OFFSET = 536;
    public static final int MNAN_OFFSET = 540;
    public static final int SUBNQN_OFFSET = 768;
    public static final int SUBNQN_BYTES = 256;
    public static final int IOCCSZ_OFFSET = 1792;
    public static final int IORCSZ_OFFSET = 1796;
    public static final int MSDBD_OFFSET = 1803;
    public static final int OFCS_OFFSET = 1804;

    private IdentifyController() {}
}
