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
}
