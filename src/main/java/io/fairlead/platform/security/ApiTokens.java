package io.fairlead.platform.security;

import io.fairlead.core.Ids;
import io.fairlead.platform.Sealer;
import io.fairlead.platform.StateDirectory;
import io.fairlead.platform.database.Sql;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Tokens of people and programs. The first start makes the administrator's token, prints it once and leaves it in
 * {@code admin-token} of the state directory for the command line of the same machine; the database has its hash only.
 */
@Singleton
public class ApiTokens {

    static final String FILE = "admin-token";
    private static final String ADMINISTRATOR = "administrator";

    /** Who a token stands for. */
    record Holder(String name, String role) {}

    private final Sql sql;
    private final Tokens tokens;
    private final StateDirectory state;
    private final Ids ids;
    private final InstantSource clock;

    @Inject
    public ApiTokens(Sql sql, Tokens tokens, StateDirectory state, Ids ids, InstantSource clock) {
        this.sql = sql;
        this.tokens = tokens;
        this.state = state;
        this.ids = ids;
        this.clock = clock;
    }

    void onStart(@Observes @Priority(Sealer.STARTUP_PRIORITY + 1) StartupEvent event) {
        if (sql.first("select 1 from api_token where name = ?", row -> row.getInt(1), ADMINISTRATOR)
                .isPresent()) {
            return;
        }
        // A file from a start that ended before its row was written is good as it is.
        String token = state.read(FILE).orElseGet(() -> tokens.next(Tokens.ADMINISTRATOR_PREFIX));
        state.write(FILE, token);
        int added = sql.update(
                "insert into api_token (id, name, role, hash, created_at) values (?, ?, ?, ?, ?) on conflict do nothing",
                ids.next(),
                ADMINISTRATOR,
                Role.ADMIN,
                Tokens.hash(token),
                clock.instant());
        if (added == 1) {
            System.err.println("The administrator's token, printed this once: " + token);
        } else {
            // Another replica was first, and its token counts.
            state.delete(FILE);
        }
    }

    Optional<Holder> holderOf(byte[] hash) {
        return sql.first(
                "select name, role from api_token where hash = ?",
                row -> new Holder(row.getString(1), row.getString(2)),
                hash);
    }
}
