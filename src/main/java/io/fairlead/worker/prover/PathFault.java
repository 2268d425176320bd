package io.fairlead.worker.prover;

import io.fairlead.contract.Reason;
import io.fairlead.nvme.initiator.InitiatorFault;

/** Why a path does not hold. */
final class PathFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    private PathFault(Reason reason, Throwable cause) {
        super(reason.text(), cause);
        this.reason = reason;
    }

    static PathFault of(String code, String text) {
        return new PathFault(new Reason(code, text), null);
    }

    static PathFault of(String step, InitiatorFault fault) {
        String code = switch (fault.kind()) {
            case UNREACHABLE -> "path.unreachable";
            case CONNECTION_LOST -> "path.connection_lost";
            case TIMED_OUT -> "path.timed_out";
            case TRANSPORT_BROKEN -> "path.transport_broken";
            case HOST_NOT_ALLOWED -> "path.host_not_allowed";
            case SUBSYSTEM_UNKNOWN -> "path.subsystem_unknown";
            case KEY_REQUIRED -> "path.key_required";
            case AUTHENTICATION_REFUSED -> "path.authentication_refused";
            case CONNECT_REFUSED -> "path.connect_refused";
            case CONTROLLER_UNSUITABLE -> "path.controller_unsuitable";
            case COMMAND_FAILED -> "path.command_failed";
        };
        return new PathFault(new Reason(code, step + ": " + fault.getMessage()), fault);
    }

    Reason reason() {
        return reason;
    }
}
