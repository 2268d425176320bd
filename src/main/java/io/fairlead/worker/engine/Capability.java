package io.fairlead.worker.engine;

/** What an engine may be able to do. The {@link #code()} is what reports carry. */
public enum Capability {
    TRANSPORT_TCP("transport.tcp"),
    TRANSPORT_RDMA("transport.rdma"),
    DHCHAP("auth.dhchap"),
    DHCHAP_BIDIRECTIONAL("auth.dhchap.bidirectional"),
    NAMESPACE_RESIZE("namespace.resize"),
    ANA("ana");

    private final String code;

    Capability(String code) {
        this.code = code;
    }

    public String code() {
        return code;
    }
}
