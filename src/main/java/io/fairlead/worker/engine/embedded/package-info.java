/**
 * The embedded engine: the transport-free target of {@code nvme.target} with transports and devices of this process behind the engine
 * SPI.
 *
 * <p>Here is only what ties them together: which listener opens which queue, which device holds which namespace, and what an engine
 * fault says when one of them is not to be had. May use {@code worker.engine}, {@code contract}, {@code core}, {@code nvme} and its own
 * packages {@code tcp} and {@code device}.
 */
package io.fairlead.worker.engine.embedded;
