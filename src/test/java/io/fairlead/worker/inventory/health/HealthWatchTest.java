package io.fairlead.worker.inventory.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DriveHealth;
import io.fairlead.contract.DriveHealth.Alarm;
import io.fairlead.contract.Reason;
import io.fairlead.worker.inventory.health.HealthWatch.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** With drives that answer when the test lets them. */
class HealthWatchTest {

    private static final Instant NOW = Instant.parse("2026-12-07T00:00:00Z");
    private static final Subject DRIVE = new Subject("eui.1", "nvme", "nvme0n1", Pages.SERIAL);

    private final Queue<Runnable> questions = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private Pages pages = new Pages();
    private HealthFault fault;
    private Duration elapsed = Duration.ZERO;
    private int news;

    private final HealthWatch watch =
            new HealthWatch(this::open, questions::add, () -> NOW.plus(elapsed), () -> elapsed.toNanos());

    private AdminQueue open(String deviceName) throws HealthFault {
        asked.add(deviceName);
        if (fault != null) {
            throw fault;
        }
        return new AdminQueue() {
            @Override
            public byte[] identify(int cns) {
                return pages.identityPage();
            }

            @Override
            public byte[] getLogPage(int identifier, int lengthBytes) {
                return pages.smartPage();
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }

    private void look(Subject... present) {
        watch.look(List.of(present), () -> news++);
    }

    private void answer() {
        questions.remove().run();
    }

    private void pass(Duration time) {
        elapsed = elapsed.plus(time);
    }

    private static List<String> codes(DriveHealth health) {
        return health.alarms().stream().map(Alarm::code).toList();
    }

    private static String problem(DriveHealth health) {
        return health.problem().map(Reason::code).orElse("");
    }

    @Test
    void shouldSayThatItIsReadingBeforeTheFirstAnswerAndTellTheReadingAfterIt() {
        look(DRIVE);
        assertThat(problem(watch.of(DRIVE))).isEqualTo("drive.health_not_read");

        answer();

        DriveHealth health = watch.of(DRIVE);
        assertThat(health.problem()).isEmpty();
        assertThat(health.reading().orElseThrow().readAt()).isEqualTo(NOW);
        assertThat(health.reading().orElseThrow().temperatureCelsius()).contains(40);
        assertThat(news).isEqualTo(1);
    }

    @Test
    void shouldAskADriveOnceAMinuteHoweverOftenItIsLookedAt() {
        look(DRIVE);
        answer();
        look(DRIVE);
        pass(HealthWatch.READ_EVERY.minusMillis(1));
        look(DRIVE);
        assertThat(asked).hasSize(1);

        pass(Duration.ofMillis(1));
        look(DRIVE);
        answer();
        assertThat(asked).hasSize(2);
        assertThat(news).as("the same answer is no news").isEqualTo(1);
    }

    @Test
    void shouldTellOfADriveThatStaysSilentAndAskItNothingMore() {
        look(DRIVE);
        answer();
        pass(HealthWatch.READ_EVERY);
        look(DRIVE);
        pass(HealthWatch.SILENCE_MAX);
        look(DRIVE);
        look(DRIVE);

        DriveHealth silent = watch.of(DRIVE);
        assertThat(codes(silent)).containsExactly("drive.not_answering");
        assertThat(problem(silent)).isEqualTo("drive.health_not_answering");
        assertThat(silent.reading().orElseThrow().readAt())
                .as("its last answer, with its time")
                .isEqualTo(NOW);
        assertThat(questions).hasSize(1);
        assertThat(news).isEqualTo(2);

        answer();
        assertThat(watch.of(DRIVE).alarms()).isEmpty();
        assertThat(watch.of(DRIVE).problem()).isEmpty();
    }

    @Test
    void shouldKeepTheLastReadingWhenTheNextOneIsRefused() {
        look(DRIVE);
        answer();
        fault = HealthFault.of("drive.health_not_permitted", "Not permitted.");
        pass(HealthWatch.READ_EVERY);
        look(DRIVE);
        answer();

        assertThat(problem(watch.of(DRIVE))).isEqualTo("drive.health_not_permitted");
        assertThat(watch.of(DRIVE).reading()).isPresent();
    }

    @Test
    void shouldSayOfOtherDrivesThatTheyHaveNoHealthToRead() {
        Subject file = new Subject("file./a", "file", "/a", "");
        Subject disk = new Subject("wwn.1", "scsi", "sda", "S");
        look(file, disk);

        assertThat(questions).isEmpty();
        assertThat(problem(watch.of(file))).isEqualTo("drive.health_not_nvme");
        assertThat(watch.of(disk).problem().orElseThrow().text()).contains("scsi");
    }

    @Test
    void shouldForgetADriveThatWentAndNotTakeItsLateAnswerForTheOneThatCame() {
        look(DRIVE);
        look();
        Subject other = new Subject("eui.2", "nvme", "nvme0n1", "OTHER");
        look(other);
        answer();

        assertThat(problem(watch.of(DRIVE))).isEqualTo("drive.health_not_read");
        assertThat(problem(watch.of(other))).isEqualTo("drive.health_not_read");
        answer();
        assertThat(problem(watch.of(other)))
                .as("what answers under that name has another serial number")
                .isEqualTo("drive.health_gone");
        assertThat(watch.of(other).reading()).isEmpty();
    }

    @Test
    void shouldCountMediaErrorsFromWhenItSawTheDriveFirstAlsoWhenTheDriveWasAway() {
        pages.mediaErrors(3);
        look(DRIVE);
        answer();
        assertThat(watch.of(DRIVE).worst()).contains(DriveHealth.Severity.WARNING);
        look();
        pages.mediaErrors(4);
        look(DRIVE);
        answer();

        assertThat(watch.of(DRIVE).worst()).contains(DriveHealth.Severity.CRITICAL);
        assertThat(codes(watch.of(DRIVE))).containsExactly("drive.media_errors");
    }
}
