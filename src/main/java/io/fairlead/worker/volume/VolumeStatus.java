package io.fairlead.worker.volume;

import io.fairlead.core.VolumeId;
import java.nio.file.Path;

/** How far a volume is that shall be there. */
public sealed interface VolumeStatus {

    /**
     * It is there, checked, and allocated as a whole.
     *
     * @param device what an engine opens
     */
    record Ready(VolumeId id, Path device, long sizeBytes) implements VolumeStatus {}

    /**
     * Space is being allocated.
     *
     * @param doneBytes how much of {@code totalBytes} has been allocated
     */
    record Allocating(VolumeId id, long doneBytes, long totalBytes) implements VolumeStatus {}

    /** The volume is there with the size it had, and is being grown. */
    record Growing(Ready present, long doneBytes, long totalBytes) implements VolumeStatus {}
}
