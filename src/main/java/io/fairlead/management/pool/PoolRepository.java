package io.fairlead.management.pool;

import io.fairlead.core.HeadId;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

@ApplicationScoped
class PoolRepository implements PanacheRepositoryBase<PoolEntity, UUID> {

    Optional<PoolEntity> byName(HeadId head, String name) {
        return find("headId = ?1 and name = ?2", head.value(), name).firstResultOptional();
    }

    /** Serialises those who take from the pool. */
    Optional<PoolEntity> locked(UUID id) {
        return Optional.ofNullable(findById(id, LockModeType.PESSIMISTIC_WRITE));
    }

    /** What accepted volumes have yet to take, by pool. */
    Map<UUID, Long> promisedBytes(Collection<UUID> pools) {
        if (pools.isEmpty()) {
            return Map.of();
        }
        List<Object[]> rows = getEntityManager()
                .createQuery(
                        "select poolId, sum(sizeBytes - allocatedBytes) from VolumeEntity"
                                + " where poolId in :pools and presence = :present and sizeBytes > allocatedBytes group by poolId",
                        Object[].class)
                .setParameter("pools", pools)
                .setParameter("present", io.fairlead.contract.DesiredVolume.Presence.PRESENT)
                .getResultList();
        return rows.stream().collect(Collectors.toMap(row -> (UUID) row[0], row -> (Long) row[1]));
    }
}
