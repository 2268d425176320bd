package io.fairlead.platform.database;

import java.util.Optional;
import org.postgresql.util.PSQLException;

/** Reads which rule of the schema a failed statement broke; the constraint's name is the rule's name. */
public final class Violations {

    private Violations() {}

    /** The name of the violated constraint; empty when the failure was about something else. */
    public static Optional<String> constraintOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException sql
                    && sql.getServerErrorMessage() != null
                    && sql.getServerErrorMessage().getConstraint() != null) {
                return Optional.of(sql.getServerErrorMessage().getConstraint());
            }
        }
        return Optional.empty();
    }

    public static boolean isOf(Throwable failure, String constraint) {
        return constraintOf(failure).filter(constraint::equals).isPresent();
    }

    /** Whether a row could not go because another one needs it. SQLSTATE 23503 and 23001. */
    public static boolean isReference(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException sql
                    && ("23503".equals(sql.getSQLState()) || "23001".equals(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }
}
