/**
 * The versioned records that cross between the management plane and a worker, and nothing else: desired state one way, reports the
 * other. Both sides compile against them; {@link io.fairlead.contract.ContractJson} is the one way to write and read them.
 *
 * <p>Changes are additive within {@link io.fairlead.contract.DesiredState#SCHEMA}. May use {@code core} and {@code nvme.spec}.
 */
package io.fairlead.contract;
