package io.fairlead.worker.inventory.health;

import io.fairlead.contract.DriveHealth.Alarm;
import io.fairlead.contract.DriveHealth.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What an administrator should hear of a drive's health. Pure: the same readings make the same alarms. */
final class Alarms {

    static final int WORN_WARNING_PERCENT = 90;
    static final int WORN_CRITICAL_PERCENT = 100;

    private Alarms() {}

    /**
     * All alarms, the worst first.
     *
     * @param mediaErrorsBefore the counter when this worker saw the drive first: those errors are history, newer ones go on
     */
    static List<Alarm> of(SmartLog log, ControllerIdentity identity, long mediaErrorsBefore) {
        List<Alarm> alarms = new ArrayList<>();
        readOnly(log).ifPresent(alarms::add);
        reliability(log).ifPresent(alarms::add);
        spare(log).ifPresent(alarms::add);
        mediaErrors(log, mediaErrorsBefore).ifPresent(alarms::add);
        temperature(log, identity).ifPresent(alarms::add);
        worn(log).ifPresent(alarms::add);
        backup(log).ifPresent(alarms::add);
        persistentMemory(log).ifPresent(alarms::add);
        return worstFirst(alarms);
    }

    static List<Alarm> worstFirst(List<Alarm> alarms) {
        return alarms.stream()
                .sorted(Comparator.comparing(Alarm::severity).reversed())
                .toList();
    }

    private static Optional<Alarm> readOnly(SmartLog log) {
        return raised(
                log,
                CriticalWarning.READ_ONLY,
                "drive.read_only",
                "The drive takes no more writes. Copy its data to another drive and replace it now.");
    }

    private static Optional<Alarm> reliability(SmartLog log) {
        return raised(
                log,
                CriticalWarning.RELIABILITY_DEGRADED,
                "drive.reliability_degraded",
                "The drive says that it is no longer reliable. Copy its data to another drive and replace it now.");
    }

    private static Optional<Alarm> backup(SmartLog log) {
        return raised(
                log,
                CriticalWarning.VOLATILE_BACKUP_FAILED,
                "drive.backup_failed",
                "What keeps the drive's memory alive through a power cut has failed: the next one may lose data. Replace the drive.");
    }

    private static Optional<Alarm> raised(SmartLog log, CriticalWarning warning, String code, String text) {
        return log.criticalWarnings().contains(warning)
                ? Optional.of(new Alarm(code, Severity.CRITICAL, text))
                : Optional.empty();
    }

    private static Optional<Alarm> persistentMemory(SmartLog log) {
        return log.criticalWarnings().contains(CriticalWarning.PERSISTENT_MEMORY_REGION)
                ? Optional.of(
                        new Alarm(
                                "drive.persistent_memory",
                                Severity.WARNING,
                                "The drive's persistent memory region is read-only or unreliable. Namespaces are not kept there; plan to replace the drive."))
                : Optional.empty();
    }

    private static Optional<Alarm> spare(SmartLog log) {
        boolean isLow = log.availableSparePercent() < log.spareThresholdPercent();
        if (!isLow && !log.criticalWarnings().contains(CriticalWarning.AVAILABLE_SPARE)) {
            return Optional.empty();
        }
        return Optional.of(new Alarm(
                "drive.spare_low",
                Severity.CRITICAL,
                "%d %% of the drive's spare blocks are left; its limit is %d %%. Replace it soon."
                        .formatted(log.availableSparePercent(), log.spareThresholdPercent())));
    }

    private static Optional<Alarm> mediaErrors(SmartLog log, long before) {
        if (log.mediaErrors() > before) {
            return Optional.of(new Alarm(
                    "drive.media_errors",
                    Severity.CRITICAL,
                    "The drive has lost data %d times, %d of them since this worker saw it first. Check what is on it and replace it."
                            .formatted(log.mediaErrors(), log.mediaErrors() - before)));
        }
        return log.mediaErrors() == 0
                ? Optional.empty()
                : Optional.of(new Alarm(
                        "drive.media_errors",
                        Severity.WARNING,
                        "The drive has lost data %d times in its life, not while this worker watched. Replace it when that grows."
                                .formatted(log.mediaErrors())));
    }

    /** By the drive's own limits where it tells them; else by its warning alone. */
    private static Optional<Alarm> temperature(SmartLog log, ControllerIdentity identity) {
        int kelvin = log.temperatureKelvin();
        String measured =
                log.temperatureCelsius().map(celsius -> celsius + " °C").orElse("an unknown temperature");
        if (identity.criticalKelvin() != 0 && kelvin >= identity.criticalKelvin()) {
            return Optional.of(temperature(
                    Severity.CRITICAL,
                    "The drive has %s; from %d °C on it may stop or lose data. Cool it now."
                            .formatted(measured, identity.criticalCelsius().orElseThrow())));
        }
        if (identity.warningKelvin() != 0 && kelvin >= identity.warningKelvin()) {
            return Optional.of(temperature(
                    Severity.WARNING,
                    "The drive has %s; its limit is %d °C. Check fans and airflow."
                            .formatted(measured, identity.warningCelsius().orElseThrow())));
        }
        if (log.criticalWarnings().contains(CriticalWarning.TEMPERATURE)) {
            return Optional.of(temperature(
                    Severity.WARNING,
                    "The drive says that a temperature is beyond one of its limits; it measures %s. Check fans and airflow."
                            .formatted(measured)));
        }
        return Optional.empty();
    }

    private static Alarm temperature(Severity severity, String text) {
        return new Alarm("drive.temperature", severity, text);
    }

    private static Optional<Alarm> worn(SmartLog log) {
        int used = log.percentageUsed();
        if (used < WORN_WARNING_PERCENT) {
            return Optional.empty();
        }
        boolean isSpent = used >= WORN_CRITICAL_PERCENT;
        return Optional.of(new Alarm(
                "drive.worn",
                isSpent ? Severity.CRITICAL : Severity.WARNING,
                isSpent
                        ? "The drive has used %d %% of the life that its maker expects. Replace it.".formatted(used)
                        : "The drive has used %d %% of the life that its maker expects. Order another one."
                                .formatted(used)));
    }
}
