/**
 * The host inside the worker: it connects to a target as a given host would, and says what it found.
 *
 * <p>{@link io.fairlead.worker.prover.HostConnection} is an NVMe/TCP host on plain sockets around {@code nvme.initiator};
 * {@link io.fairlead.worker.prover.Prover} turns a desired path into evidence with it; and
 * {@link io.fairlead.worker.prover.NvmeCommand} offers it on the command line. Everything has a deadline. The prover reads, and never
 * writes to a namespace. May use {@code core}, {@code contract}, {@code nvme.*} and the JDK; never an engine.
 */
package io.fairlead.worker.prover;
