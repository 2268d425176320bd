package io.fairlead.management.host;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import java.util.UUID;

/**
 * A new host.
 *
 * @param name for people; left out: the NQN
 * @param hostIdentifier left out: the UUID of an NQN of the UUID form, else a new one
 * @param authentication left out: the host connects without authentication
 */
public record HostCreate(String name, String nqn, UUID hostIdentifier, AuthenticationCreate authentication) {

    /**
     * How the host authenticates, and its keys.
     *
     * @param hash left out: {@code sha256}
     * @param dhGroup left out: {@code ffdhe2048}
     * @param bidirectional left out: one way
     * @param secret a key of the form {@code DHHC-1:HH:base64:}; left out: generated
     * @param controllerSecret the controller's key when {@code bidirectional}; left out: generated
     */
    public record AuthenticationCreate(
            AuthHash hash, AuthDhGroup dhGroup, Boolean bidirectional, String secret, String controllerSecret) {

        @Override
        public String toString() {
            return "AuthenticationCreate[hash=" + hash + ", dhGroup=" + dhGroup + ", bidirectional=" + bidirectional
                    + "]";
        }
    }
}
