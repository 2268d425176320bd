package io.fairlead.management.pool;

import io.fairlead.contract.DesiredVolume;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "volume")
class VolumeEntity {
    @Id
    UUID id;

    UUID poolId;
    String name;
    long sizeBytes;
    int lbaBytes;
    long allocatedBytes;

    @Enumerated(EnumType.STRING)
    DesiredVolume.Presence presence;

    @Version
    long version;

    Instant createdAt;
    Instant updatedAt;
}
