package io.fairlead.contract;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Hash functions of DH-HMAC-CHAP, by the names that Linux uses without {@code hmac()}. */
public enum AuthHash {
    @JsonProperty("sha256")
    SHA_256,
    @JsonProperty("sha384")
    SHA_384,
    @JsonProperty("sha512")
    SHA_512
}
