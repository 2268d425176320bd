package io.fairlead.worker.inventory.health;

/** Admin commands to the controller of one drive. A call may take as long as the drive likes. */
public interface AdminQueue extends AutoCloseable {

    /** How a queue is had. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens the queue of the controller behind a block device.
         *
         * @param deviceName as the kernel names it: {@code nvme0n1}
         */
        AdminQueue open(String deviceName) throws HealthFault;
    }

    /** Identify with a CNS of {@code IdentifyCns} that needs no namespace: 4096 bytes. */
    byte[] identify(int cns) throws HealthFault;

    /** Get Log Page of the whole controller, from the start; events that the page tells of stay pending. */
    byte[] getLogPage(int identifier, int lengthBytes) throws HealthFault;

    @Override
    void close();
}
