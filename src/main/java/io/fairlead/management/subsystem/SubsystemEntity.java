package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredSubsystem;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "subsystem")
class SubsystemEntity {
    @Id
    UUID id;

    String nqn;
    String serial;
    String model;

    @Enumerated(EnumType.STRING)
    DesiredSubsystem.Access access;

    /** Where the search for a free NSID starts: one that was just freed is not given out again at once. */
    long nextNsid;

    @Version
    long version;

    Instant createdAt;
    Instant updatedAt;
}
