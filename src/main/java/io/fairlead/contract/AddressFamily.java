package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Address family of a transport address (ADRFAM). */
public enum AddressFamily {
    @JsonProperty("ipv4")
    IPV4,
    @JsonProperty("ipv6")
    IPV6
}
