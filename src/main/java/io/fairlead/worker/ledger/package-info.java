/**
 * What a head keeps on disk: who it is, the last desired state that it accepted, and the facts that a restart must not change. With it
 * a worker serves again after kill -9 or a power cut while the management plane is away.
 *
 * <p>Replaced whole or not at all, check-summed, readable by its owner alone, because it holds host keys and the head's credential.
 * May use {@code core} and {@code contract}.
 */
package io.fairlead.worker.ledger;
