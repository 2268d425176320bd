package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void shouldNameTheTimeThatSoManyOfAHundredDidNotExceed() {
        Latencies latencies = new Latencies();
        for (int nanos = 200; nanos >= 1; nanos--) {
            latencies.add(nanos);
        }

        assertThat(latencies.count()).isEqualTo(200);
        assertThat(latencies.percentileNanos(50)).isEqualTo(100);
        assertThat(latencies.percentileNanos(99)).isEqualTo(198);
        assertThat(latencies.percentileNanos(100)).isEqualTo(200);
    }

    @Test
    void shouldSayNothingOfNothing() {
        assertThat(new Latencies().percentileNanos(99)).isZero();
    }
}
