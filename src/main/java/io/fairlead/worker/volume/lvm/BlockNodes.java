package io.fairlead.worker.volume.lvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/** Block devices of this machine, by their nodes. */
interface BlockNodes {

    /** The device mapper's identifier of what the node leads to now; empty when it is no device of the device mapper. */
    String mapperUuid(Path node) throws IOException;

    /** Who has the device open, as far as that can be told: for people. */
    List<String> users(Path node) throws IOException;

    /** Writes zeros to all of the device and waits until they are on stable media; tells how far it is. */
    void zero(Path node, long sizeBytes, LongConsumer progress) throws IOException;

    /**
     * Makes everything unreadable by which a drive's former content could be known: zeros at its beginning and its end, and the kernel
     * forgets its partitions.
     */
    void blank(Path drive) throws IOException;
}
