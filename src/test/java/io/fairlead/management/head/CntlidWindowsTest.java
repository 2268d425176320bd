package io.fairlead.management.head;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.core.Failure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CntlidWindowsTest {

    @Test
    void shouldGiveOutDisjointWindowsUntilNoneIsLeft() {
        List<CntlidWindow> used = new ArrayList<>();
        while (used.size() < 127) {
            CntlidWindow next = CntlidWindows.firstFree(used);
            assertThat(next.first())
                    .isEqualTo(used.isEmpty() ? 1 : used.getLast().last() + 1);
            used.add(next);
        }

        assertThatThrownBy(() -> CntlidWindows.firstFree(used)).isInstanceOf(Failure.class);
    }

    @Test
    void shouldFillAGapThatADeletedHeadLeft() {
        CntlidWindow first = CntlidWindows.firstFree(List.of());
        CntlidWindow second = CntlidWindows.firstFree(List.of(first));

        assertThat(CntlidWindows.firstFree(List.of(second))).isEqualTo(first);
    }
}
