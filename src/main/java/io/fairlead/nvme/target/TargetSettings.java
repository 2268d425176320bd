package io.fairlead.nvme.target;

/**
 * What a target advertises about itself.
 *
 * @param firmwareRevision 1 to 8 printable ASCII characters
 * @param inCapsuleBytes how much data a command capsule of an I/O queue may carry; a multiple of 16
 * @param transferShift the largest transfer is 4096 shifted left by this (MDTS); 1 to 8
 * @param queueDepth entries of the deepest queue; 2 to 1024
 * @param ioQueues most I/O queues of one controller; 1 to 128
 */
public record TargetSettings(
        String firmwareRevision, int inCapsuleBytes, int transferShift, int queueDepth, int ioQueues) {

    public TargetSettings {
        if (firmwareRevision.isEmpty() || firmwareRevision.length() > 8) {
            throw new IllegalArgumentException("a firmware revision has 1 to 8 characters");
        }
        if (inCapsuleBytes < 0 || inCapsuleBytes % 16 != 0) {
            throw new IllegalArgumentException("in-capsule data is counted in units of 16 bytes");
        }
        if (transferShift < 1 || transferShift > 8 || queueDepth < 2 || queueDepth > 1024) {
            throw new IllegalArgumentException("transfer size or queue depth out of range");
        }
        if (ioQueues < 1 || ioQueues > 128) {
            throw new IllegalArgumentException("number of I/O queues out of range");
        }
    }

    int transferBytesMax() {
        return 4096 << transferShift;
    }
}
