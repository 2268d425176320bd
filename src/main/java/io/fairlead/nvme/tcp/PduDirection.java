package io.fairlead.nvme.tcp;

/** Which way a PDU travels. */
public enum PduDirection {
    HOST_TO_CONTROLLER,
    CONTROLLER_TO_HOST
}
