package io.fairlead.worker.inventory.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Offsets are those that a C compiler gives struct nvme_passthru_cmd on x86-64 and AArch64. */
class PassthruCommandTest {

    @Test
    void shouldLieInMemoryAsTheKernelReadsIt() {
        assertThat(PassthruCommand.LAYOUT.byteSize()).isEqualTo(72);
        assertThat(PassthruCommand.offset("nsid")).isEqualTo(4);
        assertThat(PassthruCommand.offset("metadata")).isEqualTo(16);
        assertThat(PassthruCommand.offset("addr")).isEqualTo(24);
        assertThat(PassthruCommand.offset("data_len")).isEqualTo(36);
        assertThat(PassthruCommand.offset("cdw10")).isEqualTo(40);
        assertThat(PassthruCommand.offset("timeout_ms")).isEqualTo(64);
        assertThat(PassthruCommand.offset("result")).isEqualTo(68);
        assertThat(PassthruCommand.NVME_IOCTL_ADMIN_CMD).isEqualTo(0xC0484E41L);
    }

    @Test
    void shouldAskForTheWholeLogPageOfTheControllerAndLeaveItsEventsPending() {
        try (Arena arena = Arena.ofConfined()) {
            PassthruCommand command = PassthruCommand.getLogPage(arena, 2, 512);

            assertThat(command.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x02);
            assertThat(command.segment().get(ValueLayout.JAVA_INT, 4)).isEqualTo(0xFFFFFFFF);
            assertThat(command.segment().get(ValueLayout.JAVA_INT, 36)).isEqualTo(512);
            assertThat(command.segment().get(ValueLayout.JAVA_INT, 40)).isEqualTo(127 << 16 | 1 << 15 | 2);
            assertThat(command.data()).hasSize(512);
        }
    }

    @Test
    void shouldIdentifyTheController() {
        try (Arena arena = Arena.ofConfined()) {
            PassthruCommand command = PassthruCommand.identify(arena, 1, 4096);

            assertThat(command.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x06);
            assertThat(command.segment().get(ValueLayout.JAVA_INT, 40)).isEqualTo(1);
        }
    }
}
