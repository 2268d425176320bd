package io.fairlead.management.head;

import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.Transport;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.ListenerId;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.SqlFailure;
import io.fairlead.platform.database.Violations;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/** Transport addresses of heads. */
@Singleton
public class ListenerService {

    private final ListenerRepository listeners;
    private final HeadService heads;
    private final ObservedService observed;
    private final Ids ids;
    private final InstantSource clock;
    private final AuditWriter audit;

    @Inject
    public ListenerService(
            ListenerRepository listeners,
            HeadService heads,
            ObservedService observed,
            Ids ids,
            InstantSource clock,
            AuditWriter audit) {
        this.listeners = listeners;
        this.heads = heads;
        this.observed = observed;
        this.ids = ids;
        this.clock = clock;
        this.audit = audit;
    }

    /** Adds a listener and bumps its head; a second one of the same address is refused. */
    @Transactional
    public Listener create(ListenerCreate create) {
        Listener listener = draft(create);
        // The head's row first, as exports do: two that wait for each other's row would both lose.
        heads.bump(listener.headId());
        if (!listeners.add(listener)) {
            Listener existing = find(listener);
            throw Failure.ofField(
                            FailureCode.LISTENER_DUPLICATE,
                            "/traddr",
                            "The head has a listener at this address and port. Use it: " + existing.id() + ".")
                    .with("listenerId", existing.id());
        }
        audit.write(AuditWriter.Change.created("listener", listener.id().value(), view(listener)));
        return listener;
    }

    /**
     * The listener of this address, added when there is none; for exports that name an address. A field error points at {@code /traddr}
     * and {@code /transport}, relative to the listener. The head is bumped only when the listener is new.
     */
    @Transactional
    public Listener findOrCreate(ListenerCreate create) {
        Listener listener = draft(create);
        if (!listeners.add(listener)) {
            return find(listener);
        }
        audit.write(AuditWriter.Change.created("listener", listener.id().value(), view(listener)));
        heads.bump(listener.headId());
        return listener;
    }

    private Listener find(Listener like) {
        return listeners
                .find(like.headId(), like.transport(), like.traddr(), like.trsvcid())
                .orElseThrow(() -> new IllegalStateException("the listener that was in the way has gone"));
    }

    private Listener draft(ListenerCreate create) {
        TransportAddress address = TransportAddress.parse(create.traddr());
        requireTransport(heads.get(create.headId()), create.transport());
        return new Listener(
                new ListenerId(ids.next()),
                create.headId(),
                create.transport(),
                address.family(),
                address.text(),
                create.port(),
                0,
                clock.instant());
    }

    /** A head that has reported tells what its engine can do; one that has not is believed. */
    private static void requireTransport(Head head, Transport transport) {
        String capability = "transport." + transport.name().toLowerCase(Locale.ROOT);
        if (head.status().isPresent() && !head.can(capability)) {
            throw Failure.ofField(
                    FailureCode.LISTENER_TRANSPORT_UNSUPPORTED,
                    "/transport",
                    "The engine of head '" + head.name() + "' has no " + capability + ".");
        }
    }

    /** The listener, or {@link FailureCode#LISTENER_NOT_FOUND}. */
    public Listener get(ListenerId id) {
        return listeners
                .find(id)
                .orElseThrow(() -> Failure.of(
                        FailureCode.LISTENER_NOT_FOUND,
                        "There is no listener with this id. List them with GET /api/v1/listeners."));
    }

    /** All of one head, for its desired state. */
    public List<Listener> ofHead(HeadId head) {
        return listeners.ofHead(head);
    }

    public List<Listener> page(PageQuery query) {
        return listeners.page(query.after(), query.rowsMax());
    }

    public ListenerView view(Listener listener) {
        return ListenerView.of(
                listener,
                observed.of(ObjectKind.LISTENER, listener.id().value()).stream().findFirst());
    }

    /** Removes the listener and bumps its head; refused while an export is served there. */
    @Transactional
    public void delete(ListenerId id, String ifMatch) {
        Listener listener = get(id);
        new RowVersion(listener.version()).requireMatch(ifMatch);
        ListenerView before = view(listener);
        try {
            listeners.delete(id);
        } catch (SqlFailure e) {
            if (Violations.isReference(e)) {
                throw Failure.of(FailureCode.LISTENER_IN_USE, "Take the listener out of its exports first.")
                        .because("", e);
            }
            throw e;
        }
        audit.write(AuditWriter.Change.deleted("listener", id.value(), before));
        heads.bump(listener.headId());
    }
}
