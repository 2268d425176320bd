package io.fairlead.management.subsystem;

import io.fairlead.core.VolumeId;
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
class SubsystemRepository implements PanacheRepositoryBase<SubsystemEntity, UUID> {

    Optional<SubsystemEntity> locked(UUID id) {
        return Optional.ofNullable(findById(id, LockModeType.PESSIMISTIC_WRITE));
    }

    Optional<SubsystemEntity> byNqn(String nqn) {
        return find("nqn", nqn).firstResultOptional();
    }

    Optional<SubsystemEntity> bySerial(String serial) {
        return find("serial", serial).firstResultOptional();
    }

    /** Namespaces of many subsystems with one statement, in the order of their NSIDs. */
    Map<UUID, List<NamespaceEntity>> namespacesOf(Collection<UUID> subsystems) {
        if (subsystems.isEmpty()) {
            return Map.of();
        }
        return getEntityManager()
                .createQuery("from NamespaceEntity where subsystemId in :all order by nsid", NamespaceEntity.class)
                .setParameter("all", subsystems)
                .getResultStream()
                .collect(Collectors.groupingBy(namespace -> namespace.subsystemId));
    }

    Optional<NamespaceEntity> namespaceOn(VolumeId volume) {
        return getEntityManager()
                .createQuery("from NamespaceEntity where volumeId = :volume", NamespaceEntity.class)
                .setParameter("volume", volume.value())
                .getResultStream()
                .findFirst();
    }

    Optional<NamespaceEntity> namespace(UUID id) {
        return Optional.ofNullable(getEntityManager().find(NamespaceEntity.class, id));
    }

    Optional<NamespaceEntity> namespaceOnDrive(UUID drive) {
        return getEntityManager()
                .createQuery("from NamespaceEntity where driveId = :drive", NamespaceEntity.class)
                .setParameter("drive", drive)
                .getResultStream()
                .findFirst();
    }

    void add(NamespaceEntity namespace) {
        getEntityManager().persist(namespace);
        getEntityManager().flush();
    }

    void remove(NamespaceEntity namespace) {
        getEntityManager().remove(namespace);
        getEntityManager().flush();
    }
}
