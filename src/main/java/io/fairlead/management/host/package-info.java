/**
 * Hosts: who they are (NQN and host identifier, which stay together), how they authenticate, their sealed keys, and what heads refused
 * them for.
 *
 * <p>Stands beside the chain of features: it knows neither subsystems nor exports. Who uses a host tells it through
 * {@link io.fairlead.management.host.HostUse}. May use {@code core}, {@code contract}, {@code platform} and {@code nvme.spec}.
 */
package io.fairlead.management.host;
