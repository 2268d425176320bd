/**
 * The service-provider interface behind which every target engine lives, the planner that all of them share, the reconciler that
 * drives them, and the one selector that knows which engines exist.
 *
 * <p>No code outside {@code worker.engine.<x>} names engine x. May use {@code core}, {@code contract}, {@code nvme.spec},
 * {@code worker.volume}, {@code worker.inventory} and {@code worker.ledger}.
 */
package io.fairlead.worker.engine;
