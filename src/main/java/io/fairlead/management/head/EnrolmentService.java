package io.fairlead.management.head;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.Sealer;
import io.fairlead.platform.StateDirectory;
import io.fairlead.platform.database.Sql;
import io.fairlead.platform.database.SqlFailure;
import io.fairlead.platform.database.Violations;
import io.fairlead.platform.security.Tokens;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Turns a worker with a one-time token into a head with a credential and a window of controller ids of its own. The token of the
 * local head lies in {@code enrolment-token} of the state directory, until some head has used one.
 */
@Singleton
public class EnrolmentService {

    static final String FILE = "enrolment-token";

    private static final Duration VALID_DEFAULT = Duration.ofDays(1);
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,63}");

    /** Serialises enrolments: two heads must not take the same window. Any number nobody else uses. */
    private static final long WINDOWS_LOCK = 0x6661_6972_6c65_6164L;

    private final Sql sql;
    private final HeadRepository heads;
    private final Tokens tokens;
    private final StateDirectory state;
    private final Ids ids;
    private final InstantSource clock;
    private final AuditWriter audit;

    private enum Purpose {
        LOCAL_HEAD,
        REQUESTED
    }

    @Inject
    public EnrolmentService(
            Sql sql,
            HeadRepository heads,
            Tokens tokens,
            StateDirectory state,
            Ids ids,
            InstantSource clock,
            AuditWriter audit) {
        this.sql = sql;
        this.heads = heads;
        this.tokens = tokens;
        this.state = state;
        this.ids = ids;
        this.clock = clock;
        this.audit = audit;
    }

    void onStart(@Observes @Priority(Sealer.STARTUP_PRIORITY + 2) StartupEvent event) {
        boolean enrolled = sql.first(
                        "select 1 from enrolment_token where purpose = ? and used_by is not null",
                        row -> row.getInt(1),
                        Purpose.LOCAL_HEAD.name())
                .isPresent();
        if (enrolled) {
            state.delete(FILE);
        } else {
            // One token lies in the file, and only that one is good.
            String token = QuarkusTransaction.requiringNew().call(() -> {
                sql.update(
                        "delete from enrolment_token where purpose = ? and used_at is null", Purpose.LOCAL_HEAD.name());
                return issue(Purpose.LOCAL_HEAD, VALID_DEFAULT).token();
            });
            state.write(FILE, token);
        }
    }

    /** A token for one more head. */
    @Transactional
    public EnrolmentTokenView createToken(EnrolmentTokenCreate create) {
        Duration valid = create.validSeconds().map(Duration::ofSeconds).orElse(VALID_DEFAULT);
        EnrolmentTokenView issued = issue(Purpose.REQUESTED, valid);
        audit.write(AuditWriter.Change.created("enrolment_token", issued.id(), new Expiry(issued.expiresAt())));
        return issued;
    }

    /** What the audit record keeps of a token. */
    private record Expiry(Instant expiresAt) {}

    private EnrolmentTokenView issue(Purpose purpose, Duration valid) {
        UUID id = ids.next();
        String token = tokens.next(Tokens.ENROLMENT_PREFIX);
        Instant now = clock.instant();
        sql.update(
                "insert into enrolment_token (id, hash, purpose, created_at, expires_at) values (?, ?, ?, ?, ?)",
                id,
                Tokens.hash(token),
                purpose.name(),
                now,
                now.plus(valid));
        return new EnrolmentTokenView(id, token, now.plus(valid));
    }

    /** Uses the token up. The same token a second time is refused, even at the same moment. */
    @Transactional
    public EnrolmentAnswer enrol(EnrolmentRequest request) {
        if (!NAME.matcher(request.name()).matches()) {
            throw Failure.ofField(
                    FailureCode.REQUEST_INVALID, "/name", "Name the head with 1 to 63 of a-z, 0-9 and '-'.");
        }
        Instant now = clock.instant();
        UUID tokenId = sql.first(
                        "update enrolment_token set used_at = ? where hash = ? and used_at is null and expires_at > ? returning id",
                        row -> row.getObject(1, UUID.class),
                        now,
                        Tokens.hash(request.token()),
                        now)
                .orElseThrow(() -> Failure.of(
                        FailureCode.HEAD_ENROLMENT_TOKEN,
                        "Get a new one with POST /api/v1/heads/enrolment-tokens; each works once."));
        sql.first("select pg_advisory_xact_lock(?)", row -> true, WINDOWS_LOCK);
        HeadId id = new HeadId(ids.next());
        CntlidWindow cntlids = CntlidWindows.firstFree(heads.windows());
        String credential = tokens.next(Tokens.HEAD_PREFIX);
        try {
            heads.add(id, request.name(), cntlids, Tokens.hash(credential), now);
        } catch (SqlFailure e) {
            if (Violations.isOf(e, "head_name_unique")) {
                throw Failure.ofField(
                                FailureCode.HEAD_NAME_TAKEN,
                                "/name",
                                "Choose another name, or delete the head '" + request.name() + "' first.")
                        .because("", e);
            }
            throw e;
        }
        sql.update("update enrolment_token set used_by = ? where id = ?", id.value(), tokenId);
        audit.write(AuditWriter.Change.created("head", id.value(), new Enrolled(request.name(), cntlids)));
        return new EnrolmentAnswer(id, credential, cntlids);
    }

    /** What the audit record keeps of an enrolment. */
    private record Enrolled(String name, CntlidWindow controllerIds) {}
}
