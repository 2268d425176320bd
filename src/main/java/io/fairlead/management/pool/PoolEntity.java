package io.fairlead.management.pool;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "pool")
class PoolEntity {
    @Id
    UUID id;

    UUID headId;
    String name;
    String provider;
    String location;
    long capacityBytes;
    long freeBytes;
    String problemCode;
    String problemText;
    Instant reportedAt;
    Instant createdAt;
}
