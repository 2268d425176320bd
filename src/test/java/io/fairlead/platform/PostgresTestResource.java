package io.fairlead.platform;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/**
 * One real PostgreSQL per test JVM, with a database and a state directory of its own for each start of the application, so that test
 * profiles do not see each other's rows.
 */
public final class PostgresTestResource implements QuarkusTestResourceLifecycleManager {

    private static EmbeddedPostgres server;

    private static synchronized EmbeddedPostgres server() {
        if (server == null) {
            try {
                server = EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .setServerConfig("max_connections", "100")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(PostgresTestResource::close));
        }
        return server;
    }

    private static void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, String> start() {
        String database = "test_" + UUID.randomUUID().toString().replace('-', '_');
        try (var connection = server().getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create database " + database);
            Path state = Files.createTempDirectory("fairlead-management");
            return Map.of(
                    "quarkus.datasource.jdbc.url",
                    server().getJdbcUrl("postgres", database),
                    "quarkus.datasource.username",
                    "postgres",
                    "quarkus.datasource.password",
                    "postgres",
                    "fairlead.state-dir",
                    state.toString());
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException("the test database could not be made", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        // The server outlives the application: the next profile uses it too, and the JVM's end stops it.
    }
}
