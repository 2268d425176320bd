package io.fairlead.management.host;

import io.fairlead.contract.AuthenticationFailureReport;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

@Entity
@Table(name = "authentication_failure")
class AuthenticationFailureEntity {
    @Id
    UUID id;

    UUID headId;
    Instant occurredAt;
    String hostNqn;
    String subsystemNqn;
    String traddr;

    @Column(name = "failed_check")
    @Enumerated(EnumType.STRING)
    AuthenticationFailureReport.Check check;

    String detail;
}
