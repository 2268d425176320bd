package io.fairlead.nvme.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.DhchapKey.Check;
import io.fairlead.nvme.spec.DhchapKey.Parsed;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts were computed with Python's base64 and zlib: the secrets are the bytes 0, 1, 2, … */
class DhchapKeyTest {

    private static final String SECRET_32 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+KfiaR";
    private static final String SECRET_48 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vcSEgBQ==";
    private static final String SECRET_64 =
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P4zODhA=";

    @ParameterizedTest
    @CsvSource({
        "00, " + SECRET_32 + ", 32",
        "00, " + SECRET_48 + ", 48",
        "00, " + SECRET_64 + ", 64",
        "01, " + SECRET_32 + ", 32",
        "02, " + SECRET_48 + ", 48",
        "03, " + SECRET_64 + ", 64"
    })
    void shouldReadAndWriteEveryKindOfKey(String hashId, String body, int secretBytes) {
        String text = "DHHC-1:" + hashId + ":" + body + ":";

        DhchapKey key = valid(text);

        assertThat(key.transformation()).isEqualTo(DhchapHash.ofId(Integer.parseInt(hashId, 10)));
        assertThat(key.copySecret()).hasSize(secretBytes).startsWith(0, 1, 2, 3).endsWith(secretBytes - 1);
        assertThat(key.reveal()).isEqualTo(text);
    }

    /** The six keys of the case list (item 15), in its order. */
    @Test
    void shouldNameADifferentFailedCheckForEachKnownMistake() {
        assertThat(failedCheck("DHHC-2:01:" + SECRET_32 + ":")).isEqualTo(Check.PREFIX);
        assertThat(failedCheck("DHHC-1:01:" + SECRET_32)).isEqualTo(Check.FORM);
        assertThat(failedCheck("DHHC-1:04:" + SECRET_32 + ":")).isEqualTo(Check.HASH_ID);
        assertThat(failedCheck("DHHC-1:00:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHndteE0=:"))
                .isEqualTo(Check.LENGTH);
        assertThat(failedCheck("DHHC-1:01:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+LfiaR:"))
                .isEqualTo(Check.CRC);
        assertThat(failedCheck("DHHC-1:03:" + SECRET_32 + ":")).isEqualTo(Check.LENGTH_OF_HASH);
    }

    @ParameterizedTest
    @CsvSource({
        "'', PREFIX",
        "DHHC-1, PREFIX",
        "dhhc-1:01:AAAA:, PREFIX",
        "DHHC-1:, FORM",
        "DHHC-1::, FORM",
        "DHHC-1:01, FORM",
        "DHHC-1:01:, FORM",
        "DHHC-1:1:AAAA:, FORM",
        "DHHC-1:001:AAAA:, FORM",
        "DHHC-1:01:AAAA:x, FORM",
        "DHHC-1:01:AAAA::, FORM",
        "DHHC-1:01:AA:A:, FORM",
        "DHHC-1:0x:AAAA:, HASH_ID",
        "DHHC-1:11:AAAA:, HASH_ID",
        "DHHC-1:01:AA-_:, BASE64",
        "DHHC-1:01:AA A:, BASE64",
        "DHHC-1:01:A===:, BASE64",
        "DHHC-1:02:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vcSEgBQ:, BASE64",
        "DHHC-1:01::, LENGTH",
        "DHHC-1:01:AAAA:, LENGTH"
    })
    void shouldNameTheFirstCheckThatFails(String text, Check check) {
        assertThat(failedCheck(text)).isEqualTo(check);
    }

    @ParameterizedTest
    @EnumSource(DhchapHash.class)
    void shouldGenerateKeysThatItReadsBack(DhchapHash hash) {
        DhchapKey key = DhchapKey.generate(hash, new Random(7));

        DhchapKey again = valid(key.reveal());

        assertThat(again.matches(key)).isTrue();
        assertThat(again.transformation()).isEqualTo(Optional.of(hash));
        assertThat(DhchapKey.generate(hash, new Random(8)).matches(key)).isFalse();
    }

    @Property
    void shouldRefuseEveryDamagedSecret(@ForAll long seed, @ForAll DhchapHash hash) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(DhchapKey.generate(hash, random).reveal());
        int digits = hash.digestBytes() * 4 / 3;
        int position = "DHHC-1:01:".length() + random.nextInt(digits);
        text.setCharAt(position, text.charAt(position) == 'A' ? 'B' : 'A');

        assertThat(failedCheck(text.toString())).isEqualTo(Check.CRC);
    }

    @Test
    void shouldNotPrintTheSecret() {
        DhchapKey key = valid("DHHC-1:01:" + SECRET_32 + ":");

        assertThat(key.toString() + new Parsed.Valid(key)).doesNotContain("AAEC", "000102");
    }

    @Test
    void shouldForgetTheSecretWhenWiped() {
        DhchapKey key = valid("DHHC-1:01:" + SECRET_32 + ":");
        byte[] copy = key.copySecret();

        key.wipe();

        assertThat(key.copySecret()).containsOnly(0);
        assertThat(HexFormat.of().formatHex(copy)).startsWith("000102");
    }

    private static DhchapKey valid(String text) {
        return switch (DhchapKey.parse(text)) {
            case Parsed.Valid(DhchapKey key) -> key;
            case Parsed.Invalid(Check check) -> throw new AssertionError(check.sentence());
        };
    }

    private static Check failedCheck(String text) {
        return switch (DhchapKey.parse(text)) {
            case Parsed.Valid valid -> throw new AssertionError("the text was taken for a key");
            case Parsed.Invalid(Check check) -> check;
        };
    }
}
