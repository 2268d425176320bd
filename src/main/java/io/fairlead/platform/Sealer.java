package io.fairlead.platform;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.platform.database.Sql;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/**
 * Seals secrets at rest with AES-256-GCM under the master key (NIST SP 800-38D; 96-bit random nonce per value, 128-bit tag). The
 * context, such as {@code host_key/<id>}, is authenticated with it, so that a sealed value cannot be moved to another row.
 *
 * <p>The master key is {@code FAIRLEAD_MASTER_KEY} (base64 of 32 bytes) or {@code master.key} in the state directory. It is generated
 * once: at the first start on an empty database. From then on the database holds a sealed known text; a key that does not open it is
 * not used, and nothing is generated in its place. Everything that needs the key then fails with {@link FailureCode#KEY_UNAVAILABLE}.
 *
 * <pre>
 *   sealed = version (1 byte, 1) | key id (4 bytes, first of SHA-256 of the key) | nonce (12) | cipher text and tag
 * </pre>
 */
@Singleton
public class Sealer {

    public static final String ENVIRONMENT = "FAIRLEAD_MASTER_KEY";
    static final String FILE = "master.key";

    private static final Logger LOG = Logger.getLogger(Sealer.class);
    private static final int KEY_BYTES = 32;
    private static final int KEY_ID_BYTES = 4;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;
    private static final int HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;
    private static final byte VERSION = 1;
    private static final String CHECK_CONTEXT = "master_key_check";
    private static final byte[] CHECK_TEXT = "fairlead".getBytes(StandardCharsets.US_ASCII);

    /** Before everything else that a start does: others seal and open in their own observers. */
    public static final int STARTUP_PRIORITY = 100;

    private final StateDirectory state;
    private final Sql sql;
    private final SecureRandom random;
    private final InstantSource clock;

    /** Written by the start, before any request. */
    private volatile Optional<byte[]> masterKey = Optional.empty();

    @Inject
    public Sealer(StateDirectory state, Sql sql, SecureRandom random, InstantSource clock) {
        this.state = state;
        this.sql = sql;
        this.random = random;
        this.clock = clock;
    }

    void onStart(@Observes @Priority(STARTUP_PRIORITY) StartupEvent event) {
        load(Optional.ofNullable(System.getenv(ENVIRONMENT)));
    }

    /** Finds the key and holds it against the database. */
    void load(Optional<String> environment) {
        masterKey = Optional.empty();
        Optional<byte[]> check = sql.first("select sealed from master_key_check", row -> row.getBytes(1));
        Optional<byte[]> candidate = environment.or(() -> state.read(FILE)).flatMap(Sealer::decode);
        if (check.isEmpty()) {
            byte[] key = candidate.orElseGet(this::generate);
            int added = sql.update(
                    "insert into master_key_check (sealed, created_at) values (?, ?) on conflict do nothing",
                    seal(key, CHECK_TEXT, CHECK_CONTEXT),
                    clock.instant());
            if (added == 1) {
                masterKey = Optional.of(key);
                return;
            }
            // Another replica was first; this one has to have the same key.
            check = sql.first("select sealed from master_key_check", row -> row.getBytes(1));
        }
        byte[] sealed = check.orElseThrow();
        masterKey = candidate.filter(key -> opens(key, sealed));
        if (masterKey.isEmpty()) {
            LOG.errorf(
                    "The master key is %s. Sealed keys stay closed until %s or %s holds the key of this database.",
                    candidate.isPresent() ? "not the one of this database" : "missing or not 32 bytes of base64",
                    ENVIRONMENT,
                    state.path().resolve(FILE));
        }
    }

    private static Optional<byte[]> decode(String text) {
        try {
            byte[] key = Base64.getDecoder().decode(text.strip());
            return key.length == KEY_BYTES ? Optional.of(key) : Optional.empty();
        } catch (IllegalArgumentException e) {
            LOG.debug("the master key is not base64");
            return Optional.empty();
        }
    }

    private byte[] generate() {
        if (state.read(FILE).isPresent() || System.getenv(ENVIRONMENT) != null) {
            throw new IllegalStateException("The master key in " + ENVIRONMENT + " or "
                    + state.path().resolve(FILE) + " is not 32 bytes of base64. Correct it or take it away.");
        }
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        state.write(FILE, Base64.getEncoder().encodeToString(key));
        return key;
    }

    private static boolean opens(byte[] key, byte[] sealed) {
        try {
            return Arrays.equals(CHECK_TEXT, open(key, sealed, CHECK_CONTEXT));
        } catch (GeneralSecurityException e) {
            LOG.debug("the master key does not open the check of this database", e);
            return false;
        }
    }

    /** Whether the key is there; when not, what was sealed stays closed. */
    public boolean isAvailable() {
        return masterKey.isPresent();
    }

    public byte[] seal(byte[] plain, String context) {
        return seal(key(), plain, context);
    }

    /** Opens what {@link #seal} made with the same context; anything else is {@link FailureCode#KEY_UNAVAILABLE}. */
    public byte[] open(byte[] sealed, String context) {
        try {
            return open(key(), sealed, context);
        } catch (GeneralSecurityException e) {
            throw unavailable().because("a sealed value of " + context + " does not open", e);
        }
    }

    private byte[] key() {
        return masterKey.orElseThrow(Sealer::unavailable);
    }

    private static Failure unavailable() {
        return Failure.of(
                FailureCode.KEY_UNAVAILABLE,
                "The master key of this appliance is missing or wrong. Bring it back and start again; nothing is lost.");
    }

    private byte[] seal(byte[] key, byte[] plain, String context) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] header = ByteBuffer.allocate(HEADER_BYTES)
                    .put(VERSION)
                    .put(idOf(key))
                    .put(nonce)
                    .array();
            byte[] body = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(plain);
            return ByteBuffer.allocate(header.length + body.length)
                    .put(header)
                    .put(body)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-256-GCM is part of every JDK", e);
        }
    }

    private static byte[] open(byte[] key, byte[] sealed, String context) throws GeneralSecurityException {
        if (sealed.length < HEADER_BYTES + TAG_BYTES || sealed[0] != VERSION) {
            throw new GeneralSecurityException("not a sealed value");
        }
        if (!Arrays.equals(idOf(key), Arrays.copyOfRange(sealed, 1, 1 + KEY_ID_BYTES))) {
            throw new GeneralSecurityException("sealed with another key");
        }
        byte[] nonce = Arrays.copyOfRange(sealed, 1 + KEY_ID_BYTES, HEADER_BYTES);
        return cipher(Cipher.DECRYPT_MODE, key, nonce, context)
                .doFinal(sealed, HEADER_BYTES, sealed.length - HEADER_BYTES);
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, String context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] idOf(byte[] key) throws GeneralSecurityException {
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key), KEY_ID_BYTES);
    }
}
