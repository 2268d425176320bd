package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The NVMe-oF transports, by their lower-case names of the field (TRTYPE). */
public enum Transport {
    @JsonProperty("tcp")
    TCP,
    @JsonProperty("rdma")
    RDMA
}
