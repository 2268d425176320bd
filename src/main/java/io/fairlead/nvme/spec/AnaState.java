package io.fairlead.nvme.spec;

/** Asymmetric namespace access states (NVM Express Base 2.0, section 8.1). */
public enum AnaState {
    OPTIMIZED(0x01),
    NON_OPTIMIZED(0x02),
    INACCESSIBLE(0x03),
    PERSISTENT_LOSS(0x04),
    CHANGE(0x0F);

    private final int code;

    AnaState(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Whether commands that touch the medium go through. */
    public boolean servesIo() {
        return this == OPTIMIZED || this == NON_OPTIMIZED;
    }
}
