package io.fairlead.worker.inventory.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DriveHealth.Alarm;
import io.fairlead.contract.DriveHealth.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlarmsTest {

    private static List<Alarm> alarms(Pages pages, long mediaErrorsBefore) {
        return Alarms.of(pages.smart(), pages.identity(), mediaErrorsBefore);
    }

    private static List<String> told(Pages pages) {
        return alarms(pages, 0).stream()
                .map(alarm -> alarm.severity() + " " + alarm.code())
                .toList();
    }

    @Test
    void shouldHaveNothingToSayOfAHealthyDrive() {
        assertThat(alarms(new Pages(), 0)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, CRITICAL drive.spare_low",
        "1, WARNING drive.temperature",
        "2, CRITICAL drive.reliability_degraded",
        "3, CRITICAL drive.read_only",
        "4, CRITICAL drive.backup_failed",
        "5, WARNING drive.persistent_memory",
    })
    void shouldRaiseOneAlarmForEachWarningOfTheDrive(int bit, String alarm) {
        assertThat(told(new Pages().criticalWarning(1 << bit))).containsExactly(alarm);
    }

    @ParameterizedTest
    @CsvSource({
        "342, ''",
        "343, WARNING drive.temperature",
        "372, WARNING drive.temperature",
        "373, CRITICAL drive.temperature",
        "65535, CRITICAL drive.temperature",
        "0, ''",
    })
    void shouldHoldTheTemperatureAgainstTheDrivesOwnLimits(int kelvin, String alarm) {
        assertThat(told(new Pages().kelvin(kelvin))).isEqualTo(alarm.isEmpty() ? List.of() : List.of(alarm));
    }

    @Test
    void shouldNotInventLimitsThatTheDriveDoesNotTell() {
        assertThat(told(new Pages().limits(0, 0).kelvin(400))).isEmpty();
    }

    @Test
    void shouldNameTheTemperatureAndItsLimitInDegrees() {
        assertThat(alarms(new Pages().kelvin(350), 0).getFirst().text()).contains("77 °C", "70 °C");
    }

    @ParameterizedTest
    @CsvSource({
        "89, ''",
        "90, WARNING drive.worn",
        "99, WARNING drive.worn",
        "100, CRITICAL drive.worn",
        "255, CRITICAL drive.worn"
    })
    void shouldTellWearBeforeItIsTooLate(int percent, String alarm) {
        assertThat(told(new Pages().smartByte(SmartLog.PERCENTAGE_USED_OFFSET, percent)))
                .isEqualTo(alarm.isEmpty() ? List.of() : List.of(alarm));
    }

    @ParameterizedTest
    @CsvSource({"10, 10, ''", "9, 10, CRITICAL drive.spare_low", "0, 0, ''"})
    void shouldTellWhenTheSpareIsBelowTheDrivesOwnThreshold(int spare, int threshold, String alarm) {
        Pages pages = new Pages()
                .smartByte(SmartLog.AVAILABLE_SPARE_OFFSET, spare)
                .smartByte(SmartLog.AVAILABLE_SPARE_THRESHOLD_OFFSET, threshold);

        assertThat(told(pages)).isEqualTo(alarm.isEmpty() ? List.of() : List.of(alarm));
    }

    @Test
    void shouldTellOldMediaErrorsFromThoseThatGoOn() {
        assertThat(alarms(new Pages().mediaErrors(3), 3))
                .extracting(Alarm::severity)
                .containsExactly(Severity.WARNING);
        List<Alarm> grown = alarms(new Pages().mediaErrors(5), 3);
        assertThat(grown).extracting(Alarm::severity).containsExactly(Severity.CRITICAL);
        assertThat(grown.getFirst().text()).contains("5 times", "2 of them");
    }

    @Test
    void shouldPutTheWorstFirst() {
        Pages pages = new Pages().smartByte(SmartLog.PERCENTAGE_USED_OFFSET, 90).criticalWarning(1 << 5 | 1 << 3);

        assertThat(alarms(pages, 0))
                .extracting(Alarm::severity)
                .containsExactly(Severity.CRITICAL, Severity.WARNING, Severity.WARNING);
    }
}
