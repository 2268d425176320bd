package io.fairlead.worker.engine;

import io.fairlead.contract.Reason;
import java.util.Objects;

/** A step that could not be done, and whether waiting may help. */
public final class EngineFault extends Exception {

    private static final long serialVersionUID = 1L;

    /** What the reconciler makes of the object. */
    public enum Kind {
        /** Something outside is not there yet (an address, a device): the object is PENDING. */
        NOT_YET,
        /** Something is wrong with this object: it is DEGRADED. */
        BROKEN
    }

    private final Kind kind;
    private final transient Reason reason;

    private EngineFault(Kind kind, Reason reason, Throwable cause) {
        super(Objects.requireNonNull(reason).code() + ": " + reason.text(), cause);
        this.kind = kind;
        this.reason = reason;
    }

    public static EngineFault notYet(String code, String text, Throwable cause) {
        return new EngineFault(Kind.NOT_YET, new Reason(code, text), cause);
    }

    public static EngineFault broken(String code, String text, Throwable cause) {
        return new EngineFault(Kind.BROKEN, new Reason(code, text), cause);
    }

    public Kind kind() {
        return kind;
    }

    public Reason reason() {
        return reason;
    }
}
