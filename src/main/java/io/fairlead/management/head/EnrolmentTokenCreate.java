package io.fairlead.management.head;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Optional;

/**
 * Asks for an enrolment token.
 *
 * @param validSeconds how long it may be used, 60 to 604800; one day unless told
 */
public record EnrolmentTokenCreate(Optional<@Min(60) @Max(604_800) Long> validSeconds) {}
