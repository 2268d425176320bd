package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Runs whole exchanges in which one message is cut, flipped or replaced: no side throws, both end, and neither a damaged proof of the
 * host nor a damaged proof of the controller is ever accepted.
 */
class AuthMessageFuzz {

    private static final String HOST = "nqn.2026-01.io.fairlead:host";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final int ROUNDS = 20_000;
    private static final int STEPS_MAX = 12;

    @Test
    void shouldOnlyEverEndWithANamedRefusal() {
        long seed = Long.getLong("fairlead.fuzz.seed", System.nanoTime());
        System.out.println("seed of AuthMessageFuzz: " + seed);
        Random random = new Random(seed);
        DhchapKey key = DhchapKey.generate(DhchapHash.SHA_256, random);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // One group with arithmetic is enough to reach its checks, and its cost would eat the rounds.
            DhchapGroup group = round % 50 == 0 ? DhchapGroup.FFDHE_2048 : DhchapGroup.NULL;
            if (exchangeWithDamage(key, group, random)) {
                refused++;
            }
        }
        assertThat(refused).as("damaged exchanges that were refused").isGreaterThan(ROUNDS / 2);
    }

    private static boolean exchangeWithDamage(DhchapKey key, DhchapGroup group, Random random) {
        ControllerPolicy policy =
                new ControllerPolicy(List.of(DhchapHash.values()), List.of(group), key, Optional.of(key));
        AuthHost host = new AuthHost(
                HOST, SUBSYSTEM, HostPolicy.offeringAll(key, Optional.of(key)), random.nextInt(1 << 16), random);
        AuthController controller = new AuthController(HOST, SUBSYSTEM, policy, random);
        int damagedMessage = random.nextInt(5);
        boolean proofDamaged = false;
        for (int step = 0; host.action() != AuthHost.Action.NOTHING; step++) {
            assertThat(step).as("steps of one exchange").isLessThan(STEPS_MAX);
            byte[] buffer = new byte[AuthMessage.BYTES_MAX];
            MemorySegment segment = MemorySegment.ofArray(buffer);
            boolean fromHost = host.action() == AuthHost.Action.SEND;
            int bytes = fromHost ? host.writeNext(segment) : controller.onReceive(segment);
            byte[] message = segment.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
            if (step == damagedMessage) {
                byte[] damaged = damage(message, random);
                proofDamaged = isProof(message) && !sameProof(message, damaged);
                message = damaged;
            }
            if (fromHost) {
                controller.onSend(MemorySegment.ofArray(message));
            } else {
                host.onReceived(MemorySegment.ofArray(message));
            }
        }
        if (proofDamaged) {
            assertThat(host.progress()).isInstanceOf(AuthProgress.Refused.class);
        }
        return host.progress() instanceof AuthProgress.Refused;
    }

    private static byte[] damage(byte[] message, Random random) {
        byte[] damaged = message.clone();
        switch (random.nextInt(4)) {
            case 0 -> damaged[random.nextInt(Math.min(16, damaged.length))] ^= (byte) (1 << random.nextInt(8));
            case 1 -> damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            case 2 -> damaged = java.util.Arrays.copyOf(message, random.nextInt(message.length));
            default -> random.nextBytes(damaged);
        }
        return damaged;
    }

    /** Reply and Success1 carry a response at byte 16; SHA-256 is what this policy prefers. */
    private static boolean isProof(byte[] message) {
        return message[0] == 1 && (message[1] == Reply.AUTH_ID || message[1] == Success1.AUTH_ID);
    }

    private static boolean sameProof(byte[] message, byte[] damaged) {
        int end = Reply.RVAL_OFFSET + DhchapHash.SHA_256.digestBytes();
        return damaged.length >= end
                && java.util.Arrays.equals(message, Reply.RVAL_OFFSET, end, damaged, Reply.RVAL_OFFSET, end);
    }
}
