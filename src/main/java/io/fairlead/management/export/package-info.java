/**
 * Exports: a subsystem served on listeners to hosts. One request may carry a whole main job, from the volume to the host's key; it is
 * one transaction, one generation of the head, one job. Each host on each listener is a path with an id of its own, which the head
 * proves.
 *
 * <p>Knows what has to follow when a host, a subsystem or a volume changes, and tells the features before it through their
 * {@code …Use} interfaces. The connect bundle of a host is made here, because it is about paths. May use {@code core},
 * {@code contract}, {@code platform}, {@code nvme.spec}, {@code management.host} and the features before it in the chain (head, job,
 * drive, pool, subsystem).
 */
package io.fairlead.management.export;
