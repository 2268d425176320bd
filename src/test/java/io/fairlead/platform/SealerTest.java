package io.fairlead.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PostgresTestResource.class)
class SealerTest {

    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.UTF_8);

    @Inject
    Sealer sealer;

    @Inject
    StateDirectory state;

    @AfterEach
    void reload() {
        sealer.load(Optional.empty());
        assertThat(sealer.isAvailable()).isTrue();
    }

    @Test
    void shouldOpenWhatItSealedInTheSameContextOnly() {
        byte[] sealed = sealer.seal(SECRET, "host_key/1");

        assertThat(sealer.open(sealed, "host_key/1")).isEqualTo(SECRET);
        assertThat(sealer.seal(SECRET, "host_key/1")).isNotEqualTo(sealed);
        expectUnavailable(() -> sealer.open(sealed, "host_key/2"));
    }

    @Test
    void shouldNoticeEachChangedByte() {
        byte[] sealed = sealer.seal(SECRET, "c");
        for (int i = 0; i < sealed.length; i++) {
            byte[] damaged = sealed.clone();
            damaged[i] ^= 1;
            expectUnavailable(() -> sealer.open(damaged, "c"));
        }
        expectUnavailable(() -> sealer.open(new byte[0], "c"));
    }

    @Test
    void shouldStayClosedWithAWrongKey() {
        byte[] sealed = sealer.seal(SECRET, "c");

        sealer.load(Optional.of(Base64.getEncoder().encodeToString(new byte[32])));

        assertThat(sealer.isAvailable()).isFalse();
        expectUnavailable(() -> sealer.open(sealed, "c"));
        expectUnavailable(() -> sealer.seal(SECRET, "c"));
    }

    @Test
    void shouldStayClosedWithoutItsKeyAndMakeNoNewOne() {
        String key = state.read(Sealer.FILE).orElseThrow();
        state.delete(Sealer.FILE);
        try {
            sealer.load(Optional.empty());

            assertThat(sealer.isAvailable()).isFalse();
            assertThat(state.read(Sealer.FILE)).isEmpty();
        } finally {
            state.write(Sealer.FILE, key);
        }
    }

    private static void expectUnavailable(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo(FailureCode.KEY_UNAVAILABLE));
    }
}
