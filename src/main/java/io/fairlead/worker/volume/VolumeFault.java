package io.fairlead.worker.volume;

import io.fairlead.contract.Reason;
import java.util.Objects;

/** A volume that cannot be had, or cannot be removed, and whether waiting may help. */
public final class VolumeFault extends Exception {

    private static final long serialVersionUID = 1L;

    /** What the reconciler makes of the volume. */
    public enum Kind {
        /** Something outside is missing (space, the pool): the volume is PENDING. */
        NOT_YET,
        /** Something is wrong with this volume: it is DEGRADED. */
        BROKEN
    }

    private final Kind kind;
    private final transient Reason reason;

    private VolumeFault(Kind kind, Reason reason, Throwable cause) {
        super(Objects.requireNonNull(reason).code() + ": " + reason.text(), cause);
        this.kind = kind;
        this.reason = reason;
    }

    public static VolumeFault notYet(String code, String text, Throwable cause) {
        return new VolumeFault(Kind.NOT_YET, new Reason(code, text), cause);
    }

    public static VolumeFault broken(String code, String text, Throwable cause) {
        return new VolumeFault(Kind.BROKEN, new Reason(code, text), cause);
    }

    public Kind kind() {
        return kind;
    }

    public Reason reason() {
        return reason;
    }
}
