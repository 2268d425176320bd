package io.fairlead.management.host;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Timestamp;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

@ApplicationScoped
class HostRepository implements PanacheRepositoryBase<HostEntity, UUID> {

    /** Everything before the row named in the page token, or everything when there is no such row (any more). */
    private static final String FAILURES = "from AuthenticationFailureEntity f where not exists"
            + " (from AuthenticationFailureEntity a where a.id = :after"
            + " and (f.occurredAt > a.occurredAt or f.occurredAt = a.occurredAt and f.id >= a.id))";

    private static final String NEWEST_FIRST = " order by f.occurredAt desc, f.id desc";

    Optional<HostEntity> byNqn(String nqn) {
        return find("nqn", nqn).firstResultOptional();
    }

    Optional<HostEntity> byHostIdentifier(UUID hostIdentifier) {
        return find("hostIdentifier", hostIdentifier).firstResultOptional();
    }

    /** Keys of many hosts with one statement. */
    Map<UUID, List<HostKeyEntity>> keysOf(Collection<UUID> hosts) {
        if (hosts.isEmpty()) {
            return Map.of();
        }
        return getEntityManager()
                .createQuery("from HostKeyEntity where hostId in :hosts order by purpose desc", HostKeyEntity.class)
                .setParameter("hosts", hosts)
                .getResultStream()
                .collect(Collectors.groupingBy(key -> key.hostId));
    }

    void addKey(HostKeyEntity key) {
        getEntityManager().persist(key);
    }

    void removeKeys(HostId host) {
        getEntityManager()
                .createQuery("delete from HostKeyEntity where hostId = :host")
                .setParameter("host", host.value())
                .executeUpdate();
    }

    /** Records a refusal once, however often its report is sent. */
    void addFailure(HeadId head, AuthenticationFailureReport failure) {
        getEntityManager()
                .createNativeQuery("""
                        insert into authentication_failure
                            (id, head_id, occurred_at, host_nqn, subsystem_nqn, traddr, failed_check, detail)
                        values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                        on conflict (id) do nothing
                        """)
                .setParameter(1, failure.id())
                .setParameter(2, head.value())
                .setParameter(3, Timestamp.from(failure.at()))
                .setParameter(4, failure.hostNqn())
                .setParameter(5, failure.subsystemNqn())
                .setParameter(6, failure.traddr())
                .setParameter(7, failure.check().name())
                .setParameter(8, failure.detail())
                .executeUpdate();
    }

    /** Keeps the newest refusals of each name: a host that tries for ever must not fill the database. */
    void pruneFailures(String hostNqn, int keep) {
        getEntityManager()
                .createNativeQuery("""
                        delete from authentication_failure where host_nqn = ?1 and id not in
                            (select id from authentication_failure where host_nqn = ?1
                             order by occurred_at desc, id desc limit ?2)
                        """)
                .setParameter(1, hostNqn)
                .setParameter(2, keep)
                .executeUpdate();
    }

    /** Keeps the table bounded even when every refusal comes under another name. */
    void pruneFailures(int keep) {
        getEntityManager().createNativeQuery("""
                        delete from authentication_failure where id in
                            (select id from authentication_failure order by occurred_at desc, id desc offset ?1)
                        """).setParameter(1, keep).executeUpdate();
    }

    /**
     * Newest first. A head makes the ids, and need not make them in order: the page token is the id of the last row of the page before,
     * and its time and id say where to go on.
     */
    List<AuthenticationFailureEntity> failuresOf(String hostNqn, UUID after, int rowsMax) {
        return getEntityManager()
                .createQuery(FAILURES + " and f.hostNqn = :nqn" + NEWEST_FIRST, AuthenticationFailureEntity.class)
                .setParameter("nqn", hostNqn)
                .setParameter("after", after)
                .setMaxResults(rowsMax)
                .getResultList();
    }

    List<AuthenticationFailureEntity> failures(UUID after, int rowsMax) {
        return getEntityManager()
                .createQuery(FAILURES + NEWEST_FIRST, AuthenticationFailureEntity.class)
                .setParameter("after", after)
                .setMaxResults(rowsMax)
                .getResultList();
    }
}
