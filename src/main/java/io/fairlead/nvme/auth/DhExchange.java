package io.fairlead.nvme.auth;

import static io.fairlead.nvme.auth.Payload.malformed;

import io.fairlead.nvme.spec.DhchapGroup;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * One side's part of one Diffie-Hellman exchange (NVM Express Base 2.0, section 8.13.5; RFC 7919): an ephemeral secret exponent and its
 * public value. For the NULL group both the public value and the shared secret are empty.
 *
 * <p>The exponent is a {@link BigInteger}, which Java cannot overwrite; it lives no longer than the exchange.
 */
final class DhExchange {

    private static final byte[] NOTHING = {};

    private final DhchapGroup group;
    private final BigInteger exponent;
    private final byte[] publicValue;

    private DhExchange(DhchapGroup group, BigInteger exponent, byte[] publicValue) {
        this.group = group;
        this.exponent = exponent;
        this.publicValue = publicValue;
    }

    static DhExchange begin(DhchapGroup group, RandomGenerator random) {
        if (group == DhchapGroup.NULL) {
            return new DhExchange(group, BigInteger.ZERO, NOTHING);
        }
        FiniteField field = field(group);
        BigInteger exponent = exponent(field.exponentBits(), random);
        BigInteger value = FiniteField.GENERATOR.modPow(exponent, field.prime());
        return new DhExchange(group, exponent, padded(value, field.bytes()));
    }

    /** A number of exactly so many bits, so that no exponent is weakly short. */
    private static BigInteger exponent(int bits, RandomGenerator random) {
        byte[] bytes = new byte[(bits + Byte.SIZE - 1) / Byte.SIZE];
        random.nextBytes(bytes);
        BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
        BigInteger exponent = new BigInteger(1, bytes).and(mask).setBit(bits - 1);
        Arrays.fill(bytes, (byte) 0);
        return exponent;
    }

    /** Big-endian, as long as the group's prime. */
    byte[] publicValue() {
        return publicValue.clone();
    }

    /**
     * The secret that both sides share, as long as the group's prime; the caller wipes it.
     *
     * @throws AuthFault when the value of the other side is not one that an honest side has (RFC 7919, section 5.1)
     */
    byte[] sharedSecret(byte[] peerValue) throws AuthFault {
        requireValueBytes(group, peerValue.length, "The other side's message");
        if (group == DhchapGroup.NULL) {
            return NOTHING;
        }
        FiniteField field = field(group);
        BigInteger prime = field.prime();
        BigInteger value = new BigInteger(1, peerValue);
        if (value.compareTo(BigInteger.ONE) <= 0 || value.compareTo(prime.subtract(BigInteger.ONE)) >= 0) {
            throw malformed(
                    "The Diffie-Hellman value of the other side is not an element that an honest side chooses.");
        }
        return padded(value.modPow(exponent, prime), field.bytes());
    }

    /** A public value may be shorter than the prime, because some implementations leave out leading zeros. */
    static void requireValueBytes(DhchapGroup group, int bytes, String message) throws AuthFault {
        boolean fits = group == DhchapGroup.NULL ? bytes == 0 : bytes > 0 && bytes <= group.valueBytes();
        if (!fits) {
            throw malformed("%s has a Diffie-Hellman value of %d bytes with the group %s."
                    .formatted(message, bytes, group.label()));
        }
    }

    private static byte[] padded(BigInteger value, int bytes) {
        byte[] minimal = value.toByteArray();
        int sign = minimal.length > bytes ? minimal.length - bytes : 0;
        byte[] padded = new byte[bytes];
        System.arraycopy(minimal, sign, padded, bytes - (minimal.length - sign), minimal.length - sign);
        Arrays.fill(minimal, (byte) 0);
        return padded;
    }

    private static FiniteField field(DhchapGroup group) {
        return switch (group) {
            case NULL -> throw new IllegalArgumentException("the NULL group has no field");
            case FFDHE_2048 -> FiniteField.FFDHE_2048;
            case FFDHE_3072 -> FiniteField.FFDHE_3072;
            case FFDHE_4096 -> FiniteField.FFDHE_4096;
            case FFDHE_6144 -> FiniteField.FFDHE_6144;
            case FFDHE_8192 -> FiniteField.FFDHE_8192;
        };
    }
}
