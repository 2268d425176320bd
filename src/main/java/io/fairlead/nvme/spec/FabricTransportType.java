package io.fairlead.nvme.spec;

/** Transport types of a discovery log page entry (NVMe over Fabrics 1.1a, section 5.3, TRTYPE). */
public enum FabricTransportType {
    RDMA(1),
    TCP(3);

    private final int code;

    FabricTransportType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
