package io.fairlead.platform.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;

/** The embedded database through the death of the process that started it, and through a restart of itself. */
class EmbeddedDatabaseIT {

    @Test
    void shouldGoOnWithTheServerOfAKilledProcessAndKeepTheDataOverARestart(@TempDir Path state) throws Exception {
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EmbeddedDatabaseProcess.class.getName(),
                        state.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String url = killed.inputReader().readLine();
        assertThat(url).startsWith("jdbc:postgresql://127.0.0.1:");
        killed.destroyForcibly().waitFor();
        String server = serverOf(state);

        EmbeddedDatabase found = EmbeddedDatabase.start(state);
        assertThat(found.url()).isEqualTo(url);
        assertThat(serverOf(state)).isEqualTo(server);
        try (Connection connection = connect(found, found.password())) {
            connection.createStatement().execute("create table kept as select 42 as answer");
        }
        found.stop();
        assertThat(state.resolve("postgres/postmaster.pid")).doesNotExist();

        EmbeddedDatabase again = EmbeddedDatabase.start(state);
        try (Connection connection = connect(again, again.password())) {
            var row = connection.createStatement().executeQuery("select answer from kept");
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).isEqualTo(42);
        } finally {
            again.stop();
        }
    }

    private static String serverOf(Path state) throws java.io.IOException {
        return Files.readAllLines(state.resolve("postgres/postmaster.pid")).getFirst();
    }

    private static Connection connect(EmbeddedDatabase database, String password) throws java.sql.SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", password);
        return new Driver().connect(database.url(), properties);
    }
}
