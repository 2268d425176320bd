/**
 * Pools as LVM volume groups on whole drives, and volumes as logical volumes in them. LVM does the work; everything is driven by its
 * commands and read back through its JSON reports.
 *
 * <p>A pool is the group with the tag {@code fairlead.pool=<pool id>}, a volume the logical volume with the tag
 * {@code fairlead.volume=<volume id>}: the tag decides, never a name. Each command sees the drives of its pool and no others, so that
 * what a host writes to a drive that is exported as a whole is never taken for a pool. Groups without a pool are shown and left alone.
 *
 * <p>Thick volumes are written with zeros before anybody sees them, because the drives may have held another tenant's data; LVM's thin
 * volumes do that themselves, block by block. May use {@code worker.volume}, {@code core}, {@code contract} and {@code ffi}.
 */
package io.fairlead.worker.volume.lvm;
