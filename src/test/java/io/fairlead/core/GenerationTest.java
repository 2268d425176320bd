package io.fairlead.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GenerationTest {

    @Test
    void shouldPreferTheNewerGeneration() {
        assertThat(new Generation(2).isAfter(new Generation(1))).isTrue();
        assertThat(new Generation(1).isAfter(new Generation(1))).isFalse();
        assertThat(Generation.NONE.next()).isEqualTo(new Generation(1));
    }

    @Test
    void shouldRefuseNegativeNumbers() {
        assertThatThrownBy(() -> new Generation(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
