package io.fairlead.nvme.spec;

/** Address families of a discovery log page entry (NVMe over Fabrics 1.1a, section 5.3, ADRFAM). */
public enum FabricAddressFamily {
    IPV4(1),
    IPV6(2);

    private final int code;

    FabricAddressFamily(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
