package io.fairlead.platform.database;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wakes whoever waits for a topic, on whatever replica, when a transaction that sent it commits. One dedicated connection per process
 * listens; everybody else shares it.
 *
 * <p>A wake-up is a hint, never the news itself: a subscriber looks at the database first and after each wake-up. All are woken after
 * the connection was lost and found again, because what was sent in between is gone.
 *
 * <p>Threads: {@link #send} runs in the caller's transaction; subscribers are called on the listening thread and must only signal.
 */
@Singleton
public class Notifications {

    private static final Logger LOG = Logger.getLogger(Notifications.class);
    private static final String CHANNEL = "fairlead";

    /** How often a silent connection is asked whether it is still there. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(250);

    /** Ends the calls to one subscriber. */
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    private final Sql sql;
    private final String url;
    private final Optional<String> user;
    private final Optional<String> password;
    private final ConcurrentMap<String, Set<Runnable>> subscribers = new ConcurrentHashMap<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile Connection current;

    @Inject
    public Notifications(
            Sql sql,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String url,
            @ConfigProperty(name = "quarkus.datasource.username") Optional<String> user,
            @ConfigProperty(name = "quarkus.datasource.password") Optional<String> password) {
        this.sql = sql;
        this.url = url;
        this.user = user;
        this.password = password;
    }

    void onStart(@Observes StartupEvent event) {
        Thread.ofPlatform().name("database-notifications").daemon().start(this::listen);
    }

    void onStop(@Observes ShutdownEvent event) {
        stopping.countDown();
        Connection open = current;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("the listening connection did not close cleanly", e);
            }
        }
    }

    /** Sends the topic when the running transaction commits. */
    public void send(String topic) {
        sql.first("select pg_notify(?, ?)", row -> topic, CHANNEL, topic);
    }

    /** Calls {@code wake} after each commit that sent the topic, until the subscription is closed. */
    public Subscription subscribe(String topic, Runnable wake) {
        subscribers.compute(topic, (key, set) -> {
            Set<Runnable> all = set == null ? ConcurrentHashMap.newKeySet() : set;
            all.add(wake);
            return all;
        });
        return () -> subscribers.computeIfPresent(topic, (key, set) -> {
            set.remove(wake);
            return set.isEmpty() ? null : set;
        });
    }

    private void listen() {
        boolean first = true;
        while (stopping.getCount() > 0) {
            try (Connection connection = connect()) {
                current = connection;
                try (Statement statement = connection.createStatement()) {
                    statement.execute("listen " + CHANNEL);
                }
                if (!first) {
                    LOG.info("Listening to the database again.");
                }
                first = false;
                wakeAll();
                receive(connection);
            } catch (SQLException e) {
                if (stopping.getCount() > 0) {
                    LOG.warnf("Lost the database's notifications, trying again: %s", e.getMessage());
                }
            }
            pause();
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        user.ifPresent(name -> properties.setProperty("user", name));
        password.ifPresent(secret -> properties.setProperty("password", secret));
        properties.setProperty("ApplicationName", "fairlead-notifications");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", "5");
        return new Driver().connect(url, properties);
    }

    private void receive(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        while (stopping.getCount() > 0) {
            PGNotification[] arrived = postgres.getNotifications((int) CHECK_INTERVAL.toMillis());
            if (arrived == null || arrived.length == 0) {
                if (!connection.isValid((int) CHECK_INTERVAL.toSeconds())) {
                    throw new SQLException("the connection is dead");
                }
                continue;
            }
            for (PGNotification notification : arrived) {
                wake(notification.getParameter());
            }
        }
    }

    private void wake(String topic) {
        subscribers.getOrDefault(topic, Set.of()).forEach(Notifications::wake);
    }

    private void wakeAll() {
        subscribers.values().forEach(set -> set.forEach(Notifications::wake));
    }

    /** One subscriber's fault must not make the others deaf. */
    private static void wake(Runnable subscriber) {
        try {
            subscriber.run();
        } catch (RuntimeException e) {
            LOG.error("A subscriber to the database's notifications failed.", e);
        }
    }

    private void pause() {
        try {
            stopping.await(RECONNECT_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
        }
    }
}
