package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.nvme.spec.DhchapGroup;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The values of the file were computed with Python, and the primes were checked there against key pairs of OpenSSL. */
class DhExchangeTest {

    @ParameterizedTest
    @CsvFileSource(resources = "ffdhe.csv", numLinesToSkip = 1)
    void shouldComputeTheKnownAnswers(String bits, String prime, String firstPublic, String secondPublic, String shared)
            throws Exception {
        DhchapGroup group = DhchapGroup.valueOf("FFDHE_" + bits);
        DhExchange first = DhExchange.begin(group, filling(0x5A));
        DhExchange second = DhExchange.begin(group, filling(0xA7));

        assertThat(sha256(unsigned(FiniteField.valueOf("FFDHE_" + bits).prime(), group.valueBytes())))
                .isEqualTo(prime);
        assertThat(sha256(first.publicValue())).isEqualTo(firstPublic);
        assertThat(sha256(second.publicValue())).isEqualTo(secondPublic);
        assertThat(sha256(first.sharedSecret(second.publicValue()))).isEqualTo(shared);
        assertThat(sha256(second.sharedSecret(first.publicValue()))).isEqualTo(shared);
    }

    /** The larger ones take minutes to test for primality; their digests above are those of OpenSSL's. */
    @ParameterizedTest
    @EnumSource(names = {"FFDHE_2048", "FFDHE_3072"})
    void shouldComputeSafePrimes(FiniteField field) {
        assertThat(field.prime().isProbablePrime(20)).isTrue();
        assertThat(field.prime().shiftRight(1).isProbablePrime(20)).isTrue();
    }

    @Test
    void shouldRefuseValuesThatNoHonestSideChooses() {
        DhExchange exchange = DhExchange.begin(DhchapGroup.FFDHE_2048, new Random(3));
        BigInteger prime = FiniteField.FFDHE_2048.prime();

        for (BigInteger value : new BigInteger[] {
            BigInteger.ZERO, BigInteger.ONE, prime.subtract(BigInteger.ONE), prime, prime.add(BigInteger.ONE)
        }) {
            assertThatThrownBy(() -> exchange.sharedSecret(unsigned(value, 256)))
                    .isInstanceOf(AuthFault.class);
        }
        assertThatThrownBy(() -> exchange.sharedSecret(new byte[0])).isInstanceOf(AuthFault.class);
        assertThatThrownBy(() -> exchange.sharedSecret(new byte[257])).isInstanceOf(AuthFault.class);
    }

    @Test
    void shouldTakeAValueWithoutItsLeadingZeros() throws Exception {
        DhExchange exchange = DhExchange.begin(DhchapGroup.FFDHE_3072, new Random(3));
        byte[] padded = unsigned(BigInteger.valueOf(123_456_789), 384);

        assertThat(exchange.sharedSecret(new byte[] {0x07, 0x5B, (byte) 0xCD, 0x15}))
                .isEqualTo(exchange.sharedSecret(padded))
                .hasSize(384);
    }

    @Test
    void shouldExchangeNothingInTheNullGroup() throws Exception {
        DhExchange exchange = DhExchange.begin(DhchapGroup.NULL, new Random(3));

        assertThat(exchange.publicValue()).isEmpty();
        assertThat(exchange.sharedSecret(new byte[0])).isEmpty();
        assertThatThrownBy(() -> exchange.sharedSecret(new byte[1])).isInstanceOf(AuthFault.class);
    }

    private static RandomGenerator filling(int value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void nextBytes(byte[] bytes) {
                Arrays.fill(bytes, (byte) value);
            }
        };
    }

    private static byte[] unsigned(BigInteger value, int bytes) {
        byte[] minimal = value.toByteArray();
        byte[] result = new byte[bytes];
        int length = Math.min(minimal.length, bytes);
        System.arraycopy(minimal, minimal.length - length, result, bytes - length, length);
        return result;
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
