package io.fairlead.platform.database;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Plain SQL for what an entity manager is no help with: upserts, locks, counters, whole reports at once. Takes part in the running
 * transaction; entities that the statement shall see have to be flushed before.
 *
 * <p>Arguments: {@link Instant} becomes timestamptz, {@code String[]} becomes text[], all else goes as JDBC takes it.
 */
@Singleton
public class Sql {

    /** Turns the current row into a value. */
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private final DataSource source;

    @Inject
    public Sql(DataSource source) {
        this.source = source;
    }

    /** Returns how many rows were changed. */
    public int update(String statement, Object... arguments) {
        try (Connection connection = source.getConnection();
                PreparedStatement prepared = prepare(connection, statement, arguments)) {
            return prepared.executeUpdate();
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    public <T> List<T> list(String statement, Row<T> row, Object... arguments) {
        try (Connection connection = source.getConnection();
                PreparedStatement prepared = prepare(connection, statement, arguments);
                ResultSet rows = prepared.executeQuery()) {
            List<T> found = new ArrayList<>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return found;
        } catch (SQLException e) {
            throw new SqlFailure(e);
        }
    }

    /** The first row, or empty. */
    public <T> Optional<T> first(String statement, Row<T> row, Object... arguments) {
        return list(statement, row, arguments).stream().findFirst();
    }

    /** The column as an instant; empty when it is null. */
    public static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
    }

    private static PreparedStatement prepare(Connection connection, String statement, Object... arguments)
            throws SQLException {
        PreparedStatement prepared = connection.prepareStatement(statement);
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case Instant instant -> prepared.setTimestamp(i + 1, Timestamp.from(instant));
                case String[] texts -> prepared.setArray(i + 1, connection.createArrayOf("text", texts));
                case null -> prepared.setObject(i + 1, null);
                case Object other -> prepared.setObject(i + 1, other);
            }
        }
        return prepared;
    }
}
