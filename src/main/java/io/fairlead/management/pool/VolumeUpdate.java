package io.fairlead.management.pool;

/**
 * A change to a volume, as a JSON merge patch: what is left out stays.
 *
 * @param sizeBytes a multiple of the volume's {@code lbaBytes}, not below its present size
 */
public record VolumeUpdate(Long sizeBytes) {}
