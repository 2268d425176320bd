package io.fairlead.nvme.spec;

/** Opcodes of an I/O queue (NVM Command Set 1.0, section 3.2). */
public final class IoOpcode {

    public static final int FLUSH = 0x00;
    public static final int WRITE = 0x01;
    public static final int READ = 0x02;
    public static final int WRITE_ZEROES = 0x08;
    public static final int DATASET_MANAGEMENT = 0x09;

    private IoOpcode() {}
}
