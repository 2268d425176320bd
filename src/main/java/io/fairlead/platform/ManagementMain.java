package io.fairlead.platform;

import io.fairlead.platform.database.EmbeddedDatabase;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * The management plane's process. Starts the embedded database first, unless a data source is configured; says that it is ready with
 * one line of JSON on standard output: {@code {"event":"ready","url":"http://127.0.0.1:PORT"}}.
 */
@QuarkusMain
public final class ManagementMain {

    private static final String STATE_DIRECTORY = "fairlead.state-dir";
    private static final String STATE_DIRECTORY_DEFAULT = "state/management";
    private static final String URL = "quarkus.datasource.jdbc.url";

    /** Set before the application starts, read when it stops. */
    private static volatile Optional<EmbeddedDatabase> database = Optional.empty();

    private ManagementMain() {}

    public static void main(String... arguments) {
        try {
            startDatabase();
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        Quarkus.run(Ready.class, arguments);
    }

    /** Before the application's configuration exists, hence by hand: property, environment, default. */
    private static Optional<String> configured(String property) {
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(
                        System.getenv(property.replaceAll("[.-]", "_").toUpperCase(java.util.Locale.ROOT))));
    }

    private static void startDatabase() throws IOException {
        Path state = Path.of(configured(STATE_DIRECTORY).orElse(STATE_DIRECTORY_DEFAULT))
                .toAbsolutePath()
                .normalize();
        System.setProperty(STATE_DIRECTORY, state.toString());
        if (configured(URL).isPresent()) {
            return;
        }
        EmbeddedDatabase started = EmbeddedDatabase.start(state);
        database = Optional.of(started);
        System.setProperty(URL, started.url());
        System.setProperty("quarkus.datasource.username", started.user());
        System.setProperty("quarkus.datasource.password", started.password());
    }

    /** Runs once everything answers. */
    static final class Ready implements QuarkusApplication {
        @Override
        public int run(String... arguments) {
            int port = ConfigProvider.getConfig().getValue("quarkus.http.port", Integer.class);
            System.out.println("{\"event\":\"ready\",\"url\":\"http://127.0.0.1:" + port + "\"}");
            Quarkus.waitForExit();
            return 0;
        }
    }

    /** Stops the embedded database after everything that uses it. */
    @Singleton
    static final class Ending {

        private static final Logger LOG = Logger.getLogger(ManagementMain.class);

        void onStop(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
            database.ifPresent(running -> {
                try {
                    running.stop();
                } catch (IOException e) {
                    LOG.error("The embedded database was not stopped; the next start goes on with it.", e);
                }
            });
        }
    }
}
