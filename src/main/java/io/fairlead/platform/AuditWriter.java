package io.fairlead.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.platform.database.Sql;
import io.quarkus.arc.Arc;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes who changed what, from where, in the transaction of the change itself: a change without its row, or a row without its change,
 * cannot happen. Before and after are views of the API, which hold no secrets.
 */
@Singleton
public class AuditWriter {

    /**
     * One change.
     *
     * @param action for example {@code export.create}
     * @param objectKind for example {@code export}
     * @param before the view before the change
     * @param after the view after the change
     * @param job the job that carries the change out
     */
    public record Change(
            String action,
            String objectKind,
            UUID objectId,
            Optional<Object> before,
            Optional<Object> after,
            Optional<JobId> job) {

        public static Change created(String objectKind, UUID objectId, Object after) {
            return new Change(
                    objectKind + ".create",
                    objectKind,
                    objectId,
                    Optional.empty(),
                    Optional.of(after),
                    Optional.empty());
        }

        public static Change updated(String objectKind, UUID objectId, Object before, Object after) {
            return new Change(
                    objectKind + ".update",
                    objectKind,
                    objectId,
                    Optional.of(before),
                    Optional.of(after),
                    Optional.empty());
        }

        public static Change deleted(String objectKind, UUID objectId, Object before) {
            return new Change(
                    objectKind + ".delete",
                    objectKind,
                    objectId,
                    Optional.of(before),
                    Optional.empty(),
                    Optional.empty());
        }

        public Change by(JobId jobId) {
            return new Change(action, objectKind, objectId, before, after, Optional.of(jobId));
        }
    }

    private final Sql sql;
    private final Ids ids;
    private final InstantSource clock;
    private final ObjectMapper json;
    private final RequestContext request;
    private final SecurityIdentity identity;

    @Inject
    public AuditWriter(
            Sql sql,
            Ids ids,
            InstantSource clock,
            ObjectMapper json,
            RequestContext request,
            SecurityIdentity identity) {
        this.sql = sql;
        this.ids = ids;
        this.clock = clock;
        this.json = json;
        this.request = request;
        this.identity = identity;
    }

    public void write(Change change) {
        boolean inRequest = Arc.container().requestContext().isActive();
        sql.update(
                "insert into audit_entry (id, at, principal, remote, request_id, action, object_kind, object_id, before, after, job_id)"
                        + " values (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?)",
                ids.next(),
                clock.instant(),
                inRequest && !identity.isAnonymous() ? identity.getPrincipal().getName() : "system",
                inRequest ? request.remote() : "",
                inRequest ? request.requestId() : "",
                change.action(),
                change.objectKind(),
                change.objectId(),
                change.before().map(this::write).orElse(null),
                change.after().map(this::write).orElse(null),
                change.job().map(JobId::value).orElse(null));
    }

    private String write(Object view) {
        try {
            return json.writeValueAsString(view);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a view that cannot be written: " + view.getClass(), e);
        }
    }
}
