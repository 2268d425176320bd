package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;

/** Ends one command with a status, and nothing else. Hosts cause it at will: it has no stack trace. */
final class CommandFault extends Exception {

    private static final long serialVersionUID = 1L;

    private final StatusCode status;
    private final Retry retry;
    private final long result;

    private CommandFault(StatusCode status, Retry retry, long result) {
        super(status.name(), null, false, false);
        this.status = status;
        this.retry = retry;
        this.result = result;
    }

    /** The same command will fail again. */
    static CommandFault of(StatusCode status) {
        return new CommandFault(status, Retry.NEVER, 0);
    }

    /** The same command may succeed later. */
    static CommandFault forNow(StatusCode status) {
        return new CommandFault(status, Retry.ALLOWED, 0);
    }

    /** With a value in the result dword. */
    static CommandFault of(StatusCode status, Retry retry, long result) {
        return new CommandFault(status, retry, result);
    }

    StatusCode status() {
        return status;
    }

    Retry retry() {
        return retry;
    }

    long result() {
        return result;
    }
}
