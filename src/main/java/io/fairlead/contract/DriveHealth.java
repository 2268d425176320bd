package io.fairlead.contract;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a drive says of its own health. A head never leaves it empty: where there is no reading, the problem says why.
 *
 * @param reading the last one that the drive gave; it stays, with its time, while newer ones fail
 * @param alarms what needs attention, the worst first
 * @param problem why there is no reading, or none that is newer
 */
public record DriveHealth(Optional<Reading> reading, List<Alarm> alarms, Optional<Reason> problem) {

    /**
     * What was read at one moment. Counters that do not fit stand at their greatest value.
     *
     * @param temperatureCelsius absent when the drive does not measure it
     * @param availableSparePercent how much of the spare blocks is left
     * @param spareThresholdPercent below which the drive calls it too little
     * @param percentageUsed of the life that the maker expects; may pass 100, ends at 255
     * @param mediaErrors how often data could not be kept or found again
     */
    public record Reading(
            Instant readAt,
            Optional<Integer> temperatureCelsius,
            int availableSparePercent,
            int spareThresholdPercent,
            int percentageUsed,
            long dataReadBytes,
            long dataWrittenBytes,
            long powerOnHours,
            long unsafeShutdowns,
            long mediaErrors,
            long errorLogEntries) {}

    /**
     * Something that an administrator should act on.
     *
     * @param code stable, for programs: {@code drive.spare_low}, {@code drive.temperature}, {@code drive.reliability_degraded},
     *     {@code drive.read_only}, {@code drive.backup_failed}, {@code drive.persistent_memory}, {@code drive.worn},
     *     {@code drive.media_errors}, {@code drive.not_answering}
     * @param text a sentence that tells a person what is wrong and what to do
     */
    public record Alarm(String code, Severity severity, String text) {}

    /** How soon somebody has to act. */
    public enum Severity {
        /** Data is safe today. */
        WARNING,
        /** Data or service is at risk now. */
        CRITICAL
    }

    public DriveHealth {
        alarms = List.copyOf(alarms);
    }

    /** The severity of the worst alarm. */
    public Optional<Severity> worst() {
        return alarms.stream().map(Alarm::severity).max(Severity::compareTo);
    }
}
