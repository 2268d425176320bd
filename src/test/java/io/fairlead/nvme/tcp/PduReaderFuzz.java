package io.fairlead.nvme.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** A million PDUs and more, some of them damaged: nothing but a {@link PduFault} may come out, and only for damage. */
class PduReaderFuzz {

    private static final int PDUS = 1_200_000;

    /** Counts, and lets data go where a careless reader would run over the end. */
    private static final class Counting implements PduHandler {
        private final Digests digests;
        private final WireBuffer data = WireBuffer.allocate(RandomPdus.TRANSFER_MAX);
        long pdus;
        long damagedData;

        Counting(Digests digests) {
            this.digests = digests;
        }

        @Override
        public void onHeader(PduReader pdu) {
            if (pdu.dataBytes() > 0 && !pdu.type().isTermination()) {
                pdu.dataInto(data, data.capacity() - pdu.dataBytes());
            }
        }

        @Override
        public void onPdu(PduReader pdu) {
            pdus++;
            damagedData += pdu.dataDigestMatches() ? 0 : 1;
            if (pdu.type().isHandshake()) {
                pdu.onHandshakeDone(digests, 4);
            }
        }
    }

    @Test
    void shouldSurviveDamagedStreams() {
        long seed = Long.getLong("fairlead.seed", System.nanoTime());
        System.out.println("PduReaderFuzz seed " + seed);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        WireBuffer stream = WireBuffer.allocate(1 << 20);
        long pdus = 0;
        long faults = 0;
        long unharmed = 0;
        while (pdus < PDUS) {
            Digests digests = Digests.of(random.nextInt(4));
            PduDirection direction = PduDirection.values()[random.nextInt(2)];
            RandomPdus source = new RandomPdus(random, digests, 4);
            for (int round = 0; round < 200; round++) {
                int end = source.handshake(stream, 0, direction);
                int written = 1;
                while (written < 100) {
                    end = source.next(stream, end, direction, random.nextInt(20) == 0 ? 8000 : 128);
                    written++;
                }
                boolean damage = random.nextInt(4) != 0;
                if (damage) {
                    damage(random, stream, end);
                }
                Counting counting = new Counting(digests);
                boolean fault = run(random, stream, end, direction, counting);
                pdus += written;
                faults += fault ? 1 : 0;
                if (!damage) {
                    unharmed++;
                    assertThat(fault).as("seed %d", seed).isFalse();
                    assertThat(counting.pdus).as("seed %d", seed).isEqualTo(written);
                    assertThat(counting.damagedData).as("seed %d", seed).isZero();
                }
            }
        }
        System.out.println("PduReaderFuzz " + pdus + " PDUs, " + faults + " faults, " + unharmed + " streams unharmed");
        assertThat(faults).as("damage was noticed").isPositive();
        assertThat(unharmed).as("streams without damage were read").isPositive();
    }

    private static void damage(RandomGenerator random, WireBuffer stream, int end) {
        int times = 1 + random.nextInt(8);
        for (int i = 0; i < times; i++) {
            stream.bytes().put(random.nextInt(end), (byte) random.nextInt());
        }
    }

    private static boolean run(
            RandomGenerator random, WireBuffer stream, int end, PduDirection direction, Counting counting) {
        PduReader reader = new PduReader(direction, counting, RandomPdus.CAPSULE_DATA_MAX, RandomPdus.TRANSFER_MAX);
        boolean failed = false;
        for (int at = 0; at < end; ) {
            int length = Math.min(end - at, 1 + random.nextInt(8192));
            long before = counting.pdus;
            try {
                reader.read(stream, at, length);
                assertThat(failed && counting.pdus != before)
                        .as("the reader latches")
                        .isFalse();
            } catch (PduFault fault) {
                assertThat(failed).as("a fault is told once").isFalse();
                failed = true;
            }
            at += length;
        }
        return failed;
    }
}
