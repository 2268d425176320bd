package io.fairlead.management.host;

import io.fairlead.contract.AuthHash;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldErrors;
import io.fairlead.core.HostId;
import io.fairlead.core.Ids;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.platform.Sealer;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jboss.logging.Logger;

/** Makes, checks, seals and opens the keys of hosts. */
@ApplicationScoped
class HostKeys {

    private static final Logger LOG = Logger.getLogger(HostKeys.class);

    private final HostRepository repository;
    private final Sealer sealer;
    private final SecureRandom random;
    private final Ids ids;
    private final InstantSource clock;

    HostKeys(HostRepository repository, Sealer sealer, SecureRandom random, Ids ids, InstantSource clock) {
        this.repository = repository;
        this.sealer = sealer;
        this.random = random;
        this.ids = ids;
        this.clock = clock;
    }

    /** Checks a brought key check by check; the errors never repeat any part of it. */
    static void check(String secret, String pointer, FieldErrors errors) {
        if (secret != null && DhchapKey.parse(secret) instanceof DhchapKey.Parsed.Invalid(DhchapKey.Check check)) {
            errors.add(code(check), pointer, check.sentence());
        }
    }

    private static FailureCode code(DhchapKey.Check check) {
        return switch (check) {
            case PREFIX -> FailureCode.KEY_PREFIX;
            case FORM -> FailureCode.KEY_FORMAT;
            case HASH_ID -> FailureCode.KEY_HASH_ID;
            case BASE64 -> FailureCode.KEY_BASE64;
            case LENGTH -> FailureCode.KEY_LENGTH;
            case LENGTH_OF_HASH -> FailureCode.KEY_LENGTH_HASH_MISMATCH;
            case CRC -> FailureCode.KEY_CRC;
        };
    }

    /** Stores the key, brought or generated, sealed; returns it for the one answer that shows it. */
    String put(HostId host, HostKeyPurpose purpose, String brought, AuthHash hash) {
        String secret = brought != null
                ? brought
                : DhchapKey.generate(specified(hash), random).reveal();
        HostKeyEntity key = new HostKeyEntity();
        key.id = ids.next();
        key.hostId = host.value();
        key.purpose = purpose;
        key.origin = brought != null ? HostKeyOrigin.BROUGHT : HostKeyOrigin.GENERATED;
        key.sealed = sealer.seal(secret.getBytes(StandardCharsets.UTF_8), context(key));
        key.createdAt = clock.instant();
        repository.addKey(key);
        return secret;
    }

    /**
     * The secret, for a head that serves the host.
     *
     * @throws io.fairlead.core.Failure {@code key.unavailable} when the master key at hand does not open it
     */
    DhchapSecret open(HostKeyEntity key) {
        return new DhchapSecret(new String(sealer.open(key.sealed, context(key)), StandardCharsets.UTF_8));
    }

    HostState stateOf(List<HostKeyEntity> keys) {
        return keys.stream().allMatch(this::opens) ? HostState.READY : HostState.KEY_UNAVAILABLE;
    }

    private boolean opens(HostKeyEntity key) {
        try {
            Arrays.fill(sealer.open(key.sealed, context(key)), (byte) 0);
            return true;
        } catch (Failure closed) {
            LOG.debugf("key %s of host %s stays closed: %s", key.id, key.hostId, closed.internal());
            return false;
        }
    }

    /** Binds a sealed key to its row and purpose, so that rows cannot be swapped for one another. */
    private static String context(HostKeyEntity key) {
        return "host_key/" + key.hostId + "/" + key.id + "/" + key.purpose;
    }

    private static DhchapHash specified(AuthHash hash) {
        return switch (hash) {
            case SHA_256 -> DhchapHash.SHA_256;
            case SHA_384 -> DhchapHash.SHA_384;
            case SHA_512 -> DhchapHash.SHA_512;
        };
    }
}
