/**
 * The commands of {@code ./fairlead} that people run: a demonstration and a small appliance on one machine.
 *
 * <p>Everything here goes through the public API and through processes started as a person would start them, so that the demonstration
 * shows the product and not a shortcut through it. May use {@code core}, {@code contract} and the JDK, with picocli and Jackson.
 */
package io.fairlead.cli;
