package io.fairlead.worker.inventory.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmartLogTest {

    @Test
    void shouldReadEachFieldFromItsOwnPlace() {
        byte[] page = new byte[SmartLog.BYTES];
        page[0] = 0b0010_0101;
        page[1] = (byte) 0x3B;
        page[2] = 0x01;
        page[3] = 97;
        page[4] = 10;
        page[5] = (byte) 255;
        for (int counter = 0; counter < 10; counter++) {
            page[32 + 16 * counter] = (byte) (counter + 1);
        }
        page[192] = 11;
        page[196] = 12;

        SmartLog log = SmartLog.of(page);

        assertThat(log.criticalWarnings())
                .containsExactlyInAnyOrder(
                        CriticalWarning.AVAILABLE_SPARE,
                        CriticalWarning.RELIABILITY_DEGRADED,
                        CriticalWarning.PERSISTENT_MEMORY_REGION);
        assertThat(log.temperatureKelvin()).isEqualTo(315);
        assertThat(log.temperatureCelsius()).contains(42);
        assertThat(log.availableSparePercent()).isEqualTo(97);
        assertThat(log.spareThresholdPercent()).isEqualTo(10);
        assertThat(log.percentageUsed()).isEqualTo(255);
        assertThat(log)
                .extracting(
                        SmartLog::dataUnitsRead,
                        SmartLog::dataUnitsWritten,
                        SmartLog::hostReadCommands,
                        SmartLog::hostWriteCommands,
                        SmartLog::controllerBusyMinutes,
                        SmartLog::powerCycles,
                        SmartLog::powerOnHours,
                        SmartLog::unsafeShutdowns,
                        SmartLog::mediaErrors,
                        SmartLog::errorLogEntries,
                        SmartLog::warningTemperatureMinutes,
                        SmartLog::criticalTemperatureMinutes)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "9223372036854775807, 0, 9223372036854775807",
        "-1, 0, 9223372036854775807",
        "0, 1, 9223372036854775807",
        "5, -1, 9223372036854775807",
    })
    void shouldHoldACounterThatDoesNotFitAtTheGreatestValue(long low, long high, long expected) {
        SmartLog log =
                new Pages().counter(SmartLog.MEDIA_ERRORS_OFFSET, low, high).smart();

        assertThat(log.mediaErrors()).isEqualTo(expected);
    }

    @Test
    void shouldTellDataUnitsInBytesWithoutOverflowing() {
        assertThat(new Pages()
                        .counter(SmartLog.DATA_UNITS_READ_OFFSET, 3, 0)
                        .smart()
                        .dataReadBytes())
                .isEqualTo(3 * 512_000);
        assertThat(new Pages()
                        .counter(SmartLog.DATA_UNITS_WRITTEN_OFFSET, Long.MAX_VALUE, 0)
                        .smart()
                        .dataWrittenBytes())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldKnowNoTemperatureWhereTheDriveReportsNone() {
        assertThat(new Pages().kelvin(0).smart().temperatureCelsius()).isEmpty();
    }

    @Test
    void shouldFindAMeaningInAnyPage() {
        long seed = Long.getLong("fairlead.seed", System.nanoTime());
        System.out.println("seed " + seed + " (-Dfairlead.seed=" + seed + " repeats it)");
        Random random = new Random(seed);
        byte[] page = new byte[SmartLog.BYTES];
        byte[] identity = new byte[ControllerIdentity.BYTES];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(page);
            random.nextBytes(identity);
            SmartLog log = SmartLog.of(page);
            ControllerIdentity controller = ControllerIdentity.of(identity);
            long before = random.nextLong(Long.MAX_VALUE);

            assertThat(Alarms.of(log, controller, before))
                    .allSatisfy(alarm -> assertThat(alarm.text()).endsWith("."));
            assertThat(controller.serial()).doesNotContainPattern("\\p{Cntrl}");
            assertThat(log.dataReadBytes()).isNotNegative();
            assertThat(EnumSet.allOf(CriticalWarning.class)).containsAll(log.criticalWarnings());
        }
    }

    @Test
    void shouldRefuseAPageOfAnotherLength() {
        assertThatIllegalArgumentException().isThrownBy(() -> SmartLog.of(new byte[511]));
        assertThatIllegalArgumentException().isThrownBy(() -> ControllerIdentity.of(new byte[4095]));
    }
}
