package io.fairlead.worker.inventory.health;

import io.fairlead.contract.Reason;

/** Why a drive's health cannot be had. */
public final class HealthFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    private HealthFault(Reason reason, Throwable cause) {
        super(reason.code() + ": " + reason.text(), cause);
        this.reason = reason;
    }

    static HealthFault of(String code, String text) {
        return new HealthFault(new Reason(code, text), null);
    }

    HealthFault because(Throwable cause) {
        return new HealthFault(reason, cause);
    }

    Reason reason() {
        return reason;
    }
}
