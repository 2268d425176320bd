package io.fairlead.cli;

/** A command could not do what it was asked to; the message says why and what to do, and needs no stack trace. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }

    CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
