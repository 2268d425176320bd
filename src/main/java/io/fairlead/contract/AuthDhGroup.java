package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Diffie-Hellman groups of DH-HMAC-CHAP, by the names that Linux uses. */
public enum AuthDhGroup {
    @JsonProperty("null")
    NULL,
    @JsonProperty("ffdhe2048")
    FFDHE_2048,
    @JsonProperty("ffdhe3072")
    FFDHE_3072,
    @JsonProperty("ffdhe4096")
    FFDHE_4096,
    @JsonProperty("ffdhe6144")
    FFDHE_6144,
    @JsonProperty("ffdhe8192")
    FFDHE_8192
}
