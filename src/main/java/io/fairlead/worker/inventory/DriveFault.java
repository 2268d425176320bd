package io.fairlead.worker.inventory;

import io.fairlead.contract.Reason;
import java.util.Objects;

/** A drive that cannot be had, and whether waiting may help. */
public final class DriveFault extends Exception {

    private static final long serialVersionUID = 1L;

    /** What the reconciler makes of what needs the drive. */
    public enum Kind {
        /** The drive is not there (yet). */
        NOT_YET,
        /** The drive is there and must not be exported. */
        BROKEN
    }

    private final Kind kind;
    private final transient Reason reason;

    private DriveFault(Kind kind, Reason reason, Throwable cause) {
        super(Objects.requireNonNull(reason).code() + ": " + reason.text(), cause);
        this.kind = kind;
        this.reason = reason;
    }

    public static DriveFault notYet(String code, String text, Throwable cause) {
        return new DriveFault(Kind.NOT_YET, new Reason(code, text), cause);
    }

    public static DriveFault broken(String code, String text, Throwable cause) {
        return new DriveFault(Kind.BROKEN, new Reason(code, text), cause);
    }

    public Kind kind() {
        return kind;
    }

    public Reason reason() {
        return reason;
    }
}
