/**
 * An engine in memory that speaks the whole vocabulary of steps and serves no I/O. It is strict about order, says honestly what an
 * engine on this machine would say (a device that is not there, an address that is not there), and fails on order.
 *
 * <p>It is product code: {@code --engine simulated} tries a management plane without serving anybody, and the tests of the planner,
 * the reconciler and the worker run on it. May use {@code worker.engine}, {@code core} and {@code contract}.
 */
package io.fairlead.worker.engine.simulated;
