package io.fairlead.nvme.tcp;

/** Which CRC32C digests a connection uses (sections 3.3.1 and 3.6.2.2, DGST). */
public enum Digests {
    NONE(0),
    HEADER(1),
    DATA(2),
    HEADER_AND_DATA(3);

    private static final Digests[] BY_CODE = values();

    private final int code;

    Digests(int code) {
        this.code = code;
    }

    /** From the DGST field; its reserved bits are ignored. */
    public static Digests of(int dgst) {
        return BY_CODE[dgst & 3];
    }

    /** The DGST field. */
    public int code() {
        return code;
    }

    public boolean ofHeader() {
        return (code & 1) != 0;
    }

    public boolean ofData() {
        return (code & 2) != 0;
    }
}
