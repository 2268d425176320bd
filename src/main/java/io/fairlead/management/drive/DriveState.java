package io.fairlead.management.drive;

/** Whether the head sees the drive. */
public enum DriveState {
    PRESENT,
    MISSING
}
