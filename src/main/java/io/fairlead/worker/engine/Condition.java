package io.fairlead.worker.engine;

import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Reason;
import io.fairlead.worker.inventory.DriveFault;
import io.fairlead.worker.volume.VolumeFault;

/** Why an object is not as it shall be, found during one pass. */
record Condition(Severity severity, Reason reason) {

    /** Ordered: of two conditions of one object the later constant is told. */
    enum Severity {
        WAITING,
        BROKEN
    }

    static Condition waiting(String code, String text) {
        return new Condition(Severity.WAITING, new Reason(code, text));
    }

    static Condition broken(String code, String text) {
        return new Condition(Severity.BROKEN, new Reason(code, text));
    }

    static Condition of(EngineFault fault) {
        return switch (fault.kind()) {
            case NOT_YET -> new Condition(Severity.WAITING, fault.reason());
            case BROKEN -> new Condition(Severity.BROKEN, fault.reason());
        };
    }

    static Condition of(VolumeFault fault) {
        return switch (fault.kind()) {
            case NOT_YET -> new Condition(Severity.WAITING, fault.reason());
            case BROKEN -> new Condition(Severity.BROKEN, fault.reason());
        };
    }

    static Condition of(DriveFault fault) {
        return switch (fault.kind()) {
            case NOT_YET -> new Condition(Severity.WAITING, fault.reason());
            case BROKEN -> new Condition(Severity.BROKEN, fault.reason());
        };
    }

    /** The condition of something that depends on an object in this condition. */
    Condition asCauseOf(String code, String text) {
        return new Condition(severity, new Reason(code, text + " " + reason.text()));
    }

    ObjectState state() {
        return switch (severity) {
            case WAITING -> ObjectState.PENDING;
            case BROKEN -> ObjectState.DEGRADED;
        };
    }
}
