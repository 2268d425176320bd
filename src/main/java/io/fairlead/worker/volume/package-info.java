/**
 * The service-provider interface behind which volumes are made: a {@link io.fairlead.worker.volume.Pool} holds volumes and gives each
 * to the engine as a device with a stable identity. Engines know nothing of providers, and providers know nothing of NVMe.
 *
 * <p>Data is destroyed only when {@link io.fairlead.worker.volume.Pool#remove} is called, which the reconciler does for an explicit
 * {@code ABSENT} and nothing else. May use {@code core} and {@code contract}.
 */
package io.fairlead.worker.volume;
