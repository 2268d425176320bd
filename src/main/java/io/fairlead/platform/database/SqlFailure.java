package io.fairlead.platform.database;

import java.sql.SQLException;

/** A statement failed. {@link Violations} says which rule it broke, if that was the reason. */
public final class SqlFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SqlFailure(SQLException cause) {
        super(cause.getMessage(), cause);
    }
}
