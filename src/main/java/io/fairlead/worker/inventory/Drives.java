package io.fairlead.worker.inventory;

import java.nio.file.Path;

/** Where the reconciler finds whole drives; the {@link Inventory} is behind it. */
public interface Drives {

    /**
     * Finds a drive that was exported before. What its data looks like is the hosts' business now.
     *
     * @throws DriveFault when it is not there, or this head itself uses it: mounted, swap, held by LVM or md
     */
    Path find(String identity) throws DriveFault;

    /**
     * Finds a drive that was never exported.
     *
     * @param agreedSignature the one signature whose loss the request agreed to, or empty
     * @throws DriveFault when it is not there or must not be exported
     */
    Path findUnused(String identity, String agreedSignature) throws DriveFault;

    /**
     * Finds a drive that a pool of this head stands on; that the pool's own devices hold it is as it shall be.
     *
     * @throws DriveFault when it is not there, or cannot be told from another
     */
    Path findPooled(String identity) throws DriveFault;
}
