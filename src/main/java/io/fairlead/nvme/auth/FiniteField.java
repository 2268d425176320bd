package io.fairlead.nvme.auth;

import java.math.BigInteger;

/**
 * The safe primes of RFC 7919, appendix A, computed from their definition: p = 2^b - 2^(b-64) + (⌊2^(b-130) e⌋ + x) 2^64 - 1, where b is
 * the size in bits and x makes p and (p-1)/2 prime. The generator is 2.
 */
enum FiniteField {
    FFDHE_2048(2048, 560_316, 225),
    FFDHE_3072(3072, 2_625_351, 275),
    FFDHE_4096(4096, 5_736_041, 325),
    FFDHE_6144(6144, 15_705_020, 375),
    FFDHE_8192(8192, 10_965_728, 400);

    static final BigInteger GENERATOR = BigInteger.TWO;

    private final int bits;
    private final int offset;
    private final int exponentBits;
    private volatile BigInteger prime;

    FiniteField(int bits, int offset, int exponentBits) {
        this.bits = bits;
        this.offset = offset;
        this.exponentBits = exponentBits;
    }

    /** Length of a value. */
    int bytes() {
        return bits / Byte.SIZE;
    }

    /** The least length of a secret exponent that keeps the strength of the group (RFC 7919, section 5.2 and appendix A). */
    int exponentBits() {
        return exponentBits;
    }

    BigInteger prime() {
        BigInteger known = prime;
        if (known == null) {
            // Two threads may both compute it: it is the same value.
            known = computePrime();
            prime = known;
        }
        return known;
    }

    private BigInteger computePrime() {
        BigInteger two = BigInteger.TWO;
        return two.pow(bits)
                .subtract(two.pow(bits - 64))
                .add(eulerScaled(bits - 130).add(BigInteger.valueOf(offset)).shiftLeft(64))
                .subtract(BigInteger.ONE);
    }

    /** ⌊2^shift e⌋ from the series of 1/n!, with guard bits that outweigh the rounding of each term. */
    private static BigInteger eulerScaled(int shift) {
        int guardBits = 64;
        BigInteger term = BigInteger.ONE.shiftLeft(shift + guardBits);
        BigInteger sum = term;
        for (long n = 1; term.signum() != 0; n++) {
            term = term.divide(BigInteger.valueOf(n));
            sum = sum.add(term);
        }
        return sum.shiftRight(guardBits);
    }
}
