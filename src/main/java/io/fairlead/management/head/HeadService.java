package io.fairlead.management.head;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.Notifications;
import io.fairlead.platform.database.SqlFailure;
import io.fairlead.platform.database.Violations;
import io.fairlead.platform.security.HeadCredentials;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Heads and the generation of their desired state. */
@Singleton
public class HeadService implements HeadCredentials {

    private final HeadRepository heads;
    private final Notifications notifications;
    private final AuditWriter audit;
    private final InstantSource clock;

    @Inject
    public HeadService(HeadRepository heads, Notifications notifications, AuditWriter audit, InstantSource clock) {
        this.heads = heads;
        this.notifications = notifications;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Gives the head's desired state its next number, and wakes its worker when the transaction commits. The caller writes its rows in
     * the same transaction. The head's row stays locked until then: bump as late as possible, and several heads in the order of
     * their ids, so that two changes never wait for each other.
     */
    @Transactional(Transactional.TxType.MANDATORY)
    public Generation bump(HeadId head) {
        Generation next = heads.nextGeneration(head).orElseThrow(HeadService::notFound);
        notifications.send(topic(head));
        return next;
    }

    /** What {@link Notifications} calls a change of this head's desired state. */
    public static String topic(HeadId head) {
        return "head/" + head;
    }

    /** The head, or {@link FailureCode#HEAD_NOT_FOUND}. */
    public Head get(HeadId head) {
        return heads.find(head).orElseThrow(HeadService::notFound);
    }

    public Generation generation(HeadId head) {
        return heads.generation(head).orElseThrow(HeadService::notFound);
    }

    /** In the order of their ids. */
    public List<Head> page(PageQuery query) {
        return heads.page(query.after(), query.rowsMax());
    }

    public HeadState stateOf(Head head) {
        return HeadState.of(head.status(), clock.instant());
    }

    @Override
    public Optional<HeadId> headOf(byte[] credentialHash) {
        return heads.findByCredential(credentialHash);
    }

    /** Takes the head's credential, listeners and reports away; refused while anything is kept or served on it. */
    @Transactional
    public void delete(HeadId id, String ifMatch) {
        Head head = get(id);
        new RowVersion(head.version()).requireMatch(ifMatch);
        try {
            heads.delete(id);
        } catch (SqlFailure e) {
            if (Violations.isReference(e)) {
                throw Failure.of(
                                FailureCode.HEAD_IN_USE,
                                "Remove the exports and volumes of head '" + head.name() + "' first.")
                        .because(Violations.constraintOf(e).orElse(""), e);
            }
            throw e;
        }
        audit.write(AuditWriter.Change.deleted("head", id.value(), HeadView.of(head, stateOf(head))));
    }

    static Failure notFound() {
        return Failure.of(
                FailureCode.HEAD_NOT_FOUND, "There is no head with this id. List them with GET /api/v1/heads.");
    }
}
