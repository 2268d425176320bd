package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE32;
import static io.fairlead.nvme.initiator.HostCommand.LE64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryLogTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4, 5, 9, 17})
    void shouldReadAnyNumberOfEntries(int count) throws Exception {
        DiscoveryLog log = DiscoveryLog.read(answering(read -> page(1, count, "a")));

        assertThat(log.generation()).isEqualTo(1);
        assertThat(log.entries()).hasSize(count);
        for (int index = 0; index < count; index++) {
            DiscoveryEntry entry = log.entries().get(index);
            assertThat(entry.subsystemNqn()).isEqualTo("a" + index);
            assertThat(entry.traddr()).isEqualTo("127.0.0.1");
            assertThat(entry.trsvcid()).isEqualTo("4420");
            assertThat(entry.transportType()).isEqualTo(DiscoveryEntry.TCP);
        }
    }

    @Test
    void shouldReadAgainWhenTheLogChangesInBetween() throws Exception {
        DiscoveryLog log = DiscoveryLog.read(answering(read -> read < 2 ? page(1, 5, "old") : page(2, 6, "new")));

        assertThat(log.generation()).isEqualTo(2);
        assertThat(log.entries())
                .hasSize(6)
                .allMatch(entry -> entry.subsystemNqn().startsWith("new"));
    }

    @Test
    void shouldGiveUpOnALogThatChangesEachTime() {
        assertThatThrownBy(() -> DiscoveryLog.read(answering(read -> page(read, 1, "a"))))
                .isInstanceOf(InitiatorFault.class)
                .hasMessageContaining("changed each");
    }

    @Test
    void shouldRefuseAnAbsurdNumberOfEntries() {
        assertThatThrownBy(() -> DiscoveryLog.read(answering(read -> {
                    MemorySegment page = page(1, 0, "a");
                    page.set(LE64, 8, -1L);
                    return page;
                })))
                .isInstanceOf(InitiatorFault.class)
                .hasMessageContaining("absurd");
    }

    @Test
    void shouldRefuseALogThatIsShorterThanItSays() {
        assertThatThrownBy(() -> DiscoveryLog.read(answering(read -> {
                    MemorySegment page = page(1, 2, "a");
                    page.set(LE64, 8, 3L);
                    return page;
                })))
                .isInstanceOf(InitiatorFault.class)
                .hasMessageContaining("shorter");
    }

    /** @param pages the log as it is at the so-manieth command */
    private static HostQueue answering(IntFunction<MemorySegment> pages) {
        return new HostQueue() {
            private int reads;

            @Override
            public Completion execute(HostCommand command) {
                MemorySegment page = pages.apply(reads++);
                long offset = Integer.toUnsignedLong(command.sqe().get(LE32, 48));
                long bytes =
                        Math.clamp(page.byteSize() - offset, 0, command.data().byteSize());
                MemorySegment.copy(page, offset, command.data(), 0, bytes);
                return new Completion(0, 0, (int) bytes);
            }
        };
    }

    private static MemorySegment page(long generation, int count, String name) {
        MemorySegment page = MemorySegment.ofArray(new byte[1024 + count * DiscoveryEntry.BYTES]);
        page.set(LE64, 0, generation);
        page.set(LE64, 8, count);
        for (int index = 0; index < count; index++) {
            MemorySegment entry = page.asSlice(1024 + (long) index * DiscoveryEntry.BYTES, DiscoveryEntry.BYTES);
            entry.set(JAVA_BYTE, 0, (byte) DiscoveryEntry.TCP);
            entry.set(JAVA_BYTE, 1, (byte) 1);
            entry.set(JAVA_BYTE, 2, (byte) DiscoveryEntry.NVM_SUBSYSTEM);
            ScriptedController.put(entry, 32, "4420    ");
            ScriptedController.put(entry, 256, name + index);
            ScriptedController.put(entry, 512, "127.0.0.1");
        }
        return page;
    }
}
