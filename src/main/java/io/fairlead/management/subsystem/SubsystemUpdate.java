package io.fairlead.management.subsystem;

import io.fairlead.contract.DesiredSubsystem;

/**
 * A change to a subsystem.
 *
 * @param access {@code ANY_HOST} opens it to everybody who reaches a listener; refused while hosts are listed
 */
public record SubsystemUpdate(DesiredSubsystem.Access access) {}
