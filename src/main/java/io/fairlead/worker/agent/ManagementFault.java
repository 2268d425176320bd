package io.fairlead.worker.agent;

/** The management plane could not be asked, or its answer could not be used. */
final class ManagementFault extends Exception {

    private static final long serialVersionUID = 1L;

    /** What it means for the worker; it goes on serving in each case. */
    enum Kind {
        /** No answer, or an answer that says to come back later. */
        AWAY,
        /** The token or credential is refused. */
        REFUSED,
        /** Something answered that cannot be understood. */
        GARBAGE
    }

    private final Kind kind;

    ManagementFault(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }
}
