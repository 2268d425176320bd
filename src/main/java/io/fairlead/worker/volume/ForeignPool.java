package io.fairlead.worker.volume;

/**
 * A pool on this head's drives that Fairlead did not make.
 *
 * @param kind {@code volume_group}
 * @param detail a sentence for people
 */
public record ForeignPool(String kind, String name, String detail) {}
