package io.fairlead.worker.volume;

import java.nio.file.Path;

/** Where a provider of pools finds whole drives by their stable identity. */
public interface PoolDrives {

    /**
     * Where the drive is now, whoever uses it.
     *
     * @throws VolumeFault when it is not there, or cannot be told from another
     */
    Path find(String identity) throws VolumeFault;

    /**
     * Where the drive is now, if a pool may take it.
     *
     * @param agreedSignature the one signature whose loss the request agreed to, or empty
     * @throws VolumeFault when it is not there, is used by anything, or holds somebody's data
     */
    Path findUnused(String identity, String agreedSignature) throws VolumeFault;
}
