package io.fairlead.management.host;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;

/**
 * How a host has to authenticate.
 *
 * @param hash the HMAC hash of the exchange
 * @param dhGroup the Diffie-Hellman group of the exchange; {@link AuthDhGroup#NULL} is a challenge without one
 * @param bidirectional whether the controller proves itself to the host as well
 */
public record HostAuthentication(AuthHash hash, AuthDhGroup dhGroup, boolean bidirectional) {}
