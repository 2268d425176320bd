/**
 * Pools as heads report them, and the volumes that are carved from them.
 *
 * <p>A volume's data is destroyed only by name: a deleted volume stays as a tombstone until its head says that it is gone. May use
 * {@code core}, {@code contract}, {@code platform}, {@code nvme.spec} and the features before it in the chain (head, job, drive).
 */
package io.fairlead.management.pool;
