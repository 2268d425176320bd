package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredSubsystem;

/**
 * A new subsystem.
 *
 * @param nqn left out: generated
 * @param serial 1 to 20 printable ASCII characters without a space at either end; left out: generated
 * @param model 1 to 40 printable ASCII characters; left out: {@code Fairlead}
 * @param access left out: {@code LISTED_HOSTS}; {@code ANY_HOST} opens it to everybody who reaches a listener
 */
public record SubsystemCreate(String nqn, String serial, String model, DesiredSubsystem.Access access) {

    /** Everything left out. */
    public static final SubsystemCreate DEFAULTS = new SubsystemCreate(null, null, null, null);
}
