package io.fairlead.management.subsystem;

import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.core.VolumeId;
import io.fairlead.management.pool.VolumeUse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.Optional;

/** Tells the volumes who builds on them. */
@ApplicationScoped
class NamespaceOnVolume implements VolumeUse {

    private final SubsystemRepository repository;
    private final Instance<SubsystemUse> uses;

    NamespaceOnVolume(SubsystemRepository repository, @Any Instance<SubsystemUse> uses) {
        this.repository = repository;
        this.uses = uses;
    }

    @Override
    public Optional<String> usedBy(VolumeId volume) {
        return repository
                .namespaceOn(volume)
                .flatMap(namespace -> repository.findByIdOptional(namespace.subsystemId))
                .map(subsystem -> subsystem.nqn);
    }

    @Override
    public Optional<NamespaceId> namespaceOn(VolumeId volume) {
        return repository
                .namespaceOn(volume)
                .filter(namespace -> uses.stream()
                        .anyMatch(use -> use.exportOf(new SubsystemId(namespace.subsystemId))
                                .isPresent()))
                .map(namespace -> new NamespaceId(namespace.id));
    }
}
