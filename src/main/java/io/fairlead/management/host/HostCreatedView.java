package io.fairlead.management.host;

/**
 * The answer to a new host.
 *
 * @param secrets shown this once; absent when the host does not authenticate
 */
public record HostCreatedView(HostView host, HostSecretsView secrets) {}
