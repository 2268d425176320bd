package io.fairlead.management.host;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

@Entity
@Table(name = "host")
class HostEntity {
    @Id
    UUID id;

    String name;
    String nqn;
    UUID hostIdentifier;

    @Enumerated(EnumType.STRING)
    AuthHash authHash;

    @Enumerated(EnumType.STRING)
    AuthDhGroup authDhGroup;

    boolean authBidirectional;

    @Version
    long version;

    Instant createdAt;
    Instant updatedAt;

    Optional<HostAuthentication> authentication() {
        return Optional.ofNullable(authHash).map(hash -> new HostAuthentication(hash, authDhGroup, authBidirectional));
    }

    void authentication(HostAuthentication authentication) {
        authHash = authentication == null ? null : authentication.hash();
        authDhGroup = authentication == null ? null : authentication.dhGroup();
        authBidirectional = authentication != null && authentication.bidirectional();
    }
}
