package io.fairlead.management.host;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "host_key")
class HostKeyEntity {
    @Id
    UUID id;

    UUID hostId;

    @Enumerated(EnumType.STRING)
    HostKeyPurpose purpose;

    @Enumerated(EnumType.STRING)
    HostKeyOrigin origin;

    byte[] sealed;
    Instant createdAt;
}
