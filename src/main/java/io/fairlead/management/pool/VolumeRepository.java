package io.fairlead.management.pool;

import io.fairlead.contract.DesiredVolume;
import io.fairlead.core.HeadId;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

@ApplicationScoped
class VolumeRepository implements PanacheRepositoryBase<VolumeEntity, UUID> {

    Optional<VolumeEntity> byName(UUID pool, String name) {
        return find("poolId = ?1 and name = ?2 and presence = ?3", pool, name, DesiredVolume.Presence.PRESENT)
                .firstResultOptional();
    }

    /** All volumes of a head, tombstones included, each with its pool. */
    List<Object[]> ofHead(HeadId head) {
        return getEntityManager()
                .createQuery(
                        "select v, p from VolumeEntity v join PoolEntity p on p.id = v.poolId where p.headId = :head order by v.id",
                        Object[].class)
                .setParameter("head", head.value())
                .getResultList();
    }

    /** Removes the tombstone of a volume that this head has destroyed. */
    void forget(HeadId head, UUID id) {
        delete(
                "id = ?1 and presence = ?2 and poolId in (select p.id from PoolEntity p where p.headId = ?3)",
                id,
                DesiredVolume.Presence.ABSENT,
                head.value());
    }

    /** Notes what the volume has taken from its pool. */
    void allocated(HeadId head, UUID id, long bytes) {
        update(
                "allocatedBytes = ?1 where id = ?2 and allocatedBytes <> ?1"
                        + " and poolId in (select p.id from PoolEntity p where p.headId = ?3)",
                bytes,
                id,
                head.value());
    }
}
