/**
 * Drives as heads report them, found again by their stable identity. A drive that is no longer reported keeps its row and is MISSING:
 * what was exported from it may come back.
 *
 * <p>Uses {@code management.head} and {@code management.job}; {@code management.pool} and those after it may use this.
 */
package io.fairlead.management.drive;
