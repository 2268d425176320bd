package io.fairlead.worker.prover;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PatternTest {

    private static final int LBA_BYTES = 512;

    @Property
    void shouldTellTheVersionOfWhatItWrote(
            @ForAll long seed, @ForAll @LongRange(min = 0) long lba, @ForAll @LongRange(min = 0) long version) {
        Pattern pattern = new Pattern(seed, LBA_BYTES);
        MemorySegment data = MemorySegment.ofArray(new byte[3 * LBA_BYTES]);

        pattern.fill(data, lba, version);

        for (int block = 0; block < 3; block++) {
            assertThat(pattern.versionAt(data, (long) block * LBA_BYTES, lba + block))
                    .isEqualTo(version);
        }
    }

    @Property
    void shouldNoticeEveryFlippedBit(@ForAll @IntRange(max = LBA_BYTES * 8 - 1) int bit) {
        Pattern pattern = new Pattern(5, LBA_BYTES);
        MemorySegment data = MemorySegment.ofArray(new byte[LBA_BYTES]);
        pattern.fill(data, 9, 3);

        long at = bit / 8;
        data.set(ValueLayout.JAVA_BYTE, at, (byte) (data.get(ValueLayout.JAVA_BYTE, at) ^ 1 << bit % 8));

        assertThat(pattern.versionAt(data, 0, 9)).isEqualTo(Pattern.DAMAGED);
    }

    @Test
    void shouldNotTakeABlockFromAnotherPlaceOrRunOrAZeroedOne() {
        Pattern pattern = new Pattern(5, LBA_BYTES);
        MemorySegment data = MemorySegment.ofArray(new byte[LBA_BYTES]);

        assertThat(pattern.versionAt(data, 0, 0)).isEqualTo(Pattern.DAMAGED);
        pattern.fill(data, 9, 3);
        assertThat(pattern.versionAt(data, 0, 10)).isEqualTo(Pattern.DAMAGED);
        assertThat(new Pattern(6, LBA_BYTES).versionAt(data, 0, 9)).isEqualTo(Pattern.DAMAGED);
    }
}
