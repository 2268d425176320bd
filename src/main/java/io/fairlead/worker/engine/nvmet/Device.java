package io.fairlead.worker.engine.nvmet;

/**
 * What the kernel would serve of a device.
 *
 * @param sizeBytes whole
 * @param lbaBytes the block size that hosts would see: of a block device its logical block size, of a file the block size of its file
 *     system, 4096 at most (Linux, drivers/nvme/target/io-cmd-file.c)
 * @param isFile a regular file; the page cache is used for it
 * @param instance differs when another device has come to the same path: the number that the kernel gives to each disk once ({@code
 *     diskseq}), or the file itself
 */
record Device(long sizeBytes, int lbaBytes, boolean isFile, String instance) {}
