/**
 * Subsystems and their namespaces, with the identities (NQN, serial number, NSID, UUID, NGUID, EUI-64) that they keep for ever.
 *
 * <p>May use {@code core}, {@code contract}, {@code platform}, {@code nvme.spec}, {@code management.host} and the features before it in
 * the chain (head, job, drive, pool).
 */
package io.fairlead.management.subsystem;
