package io.fairlead.worker.volume.lvm;

/** A command of LVM that did not do what it was asked, or a report of it that cannot be believed. The message is for people. */
final class LvmFault extends Exception {

    private static final long serialVersionUID = 1L;

    LvmFault(String message) {
        super(message);
    }

    LvmFault(String message, Throwable cause) {
        super(message, cause);
    }
}
