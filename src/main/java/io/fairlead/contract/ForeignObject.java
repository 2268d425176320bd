package io.fairlead.contract;

/**
 * Something in the engine that Fairlead did not make. It is shown and left alone.
 *
 * @param kind for example {@code subsystem}, {@code port}, {@code host}, {@code namespace}, {@code link}
 * @param name the name that the engine knows it by
 * @param detail a sentence for a person: what it is, and what it keeps Fairlead from
 */
public record ForeignObject(String kind, String name, String detail) {}
