package io.fairlead.management.subsystem;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "namespace")
class NamespaceEntity {
    @Id
    UUID id;

    UUID subsystemId;
    long nsid;
    UUID uuid;
    String nguid;
    String eui64;
    long anaGroup;
    UUID volumeId;
    UUID driveId;
    String agreedSignature = "";
    Instant createdAt;
}
