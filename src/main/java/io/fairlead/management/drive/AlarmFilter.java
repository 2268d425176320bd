package io.fairlead.management.drive;

import io.fairlead.contract.DriveHealth.Severity;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import java.util.List;
import java.util.Optional;

/** Which drives a list is narrowed to, by their worst alarm. A drive that is missing has none. */
enum AlarmFilter {
    ANY(List.of(Severity.WARNING, Severity.CRITICAL)),
    WARNING(List.of(Severity.WARNING)),
    CRITICAL(List.of(Severity.CRITICAL));

    private final List<Severity> worst;

    AlarmFilter(List<Severity> worst) {
        this.worst = worst;
    }

    String[] severities() {
        return worst.stream().map(Severity::name).toArray(String[]::new);
    }

    /** From the query; null asks for no filter. */
    static Optional<AlarmFilter> of(String text) {
        return switch (text) {
            case null -> Optional.empty();
            case "true" -> Optional.of(ANY);
            case "warning" -> Optional.of(WARNING);
            case "critical" -> Optional.of(CRITICAL);
            default ->
                throw Failure.ofField(
                        FailureCode.REQUEST_INVALID, "?alarm", "Send true, warning or critical, or leave it out.");
        };
    }
}
