package io.fairlead.management.export;

import java.sql.SQLException;
import java.util.function.Supplier;

/** Runs a transaction again that the database ended only because another one was in the way. */
final class Deadlocks {

    private static final int ATTEMPTS_MAX = 5;

    /** SQLSTATE 40P01: deadlock detected; 40001: could not serialise. */
    private static final String DEADLOCK = "40P01";

    private static final String SERIALIZATION = "40001";

    private Deadlocks() {}

    /** Nothing of a failed attempt is left, so the next one begins from the beginning. */
    static <T> T retry(Supplier<T> transaction) {
        for (int attempt = 1; ; attempt++) {
            try {
                return transaction.get();
            } catch (RuntimeException e) {
                if (attempt == ATTEMPTS_MAX || !isInTheWay(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isInTheWay(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql
                    && (DEADLOCK.equals(sql.getSQLState()) || SERIALIZATION.equals(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }
}
