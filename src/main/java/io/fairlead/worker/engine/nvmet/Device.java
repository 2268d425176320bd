package io.fairlead.worker.engine.nvmet;

/**
 * What the kernel would serve of a device.
 *
 * @param sizeBytes whole
 * @param lbaBytes the block size that hosts would see: of a block device its logical block size, of a file the block size of its file
 *     system, 4096 at most (Linux, drivers/nvme/target/io-cmd-file.c)
 * @param needsPageCache a file of a file system that cannot do without. What a host was told is written then lies in this head's memory
 *     until the host flushes; without the page cache it is where a reset of the head does not reach it
 * @param instance differs when another device has come to the same path: the number that the kernel gives to each disk once ({@code
 *     diskseq}), or the file itself
 */
record Device(long sizeBytes, int lbaBytes, boolean needsPageCache, String instance) {}
