package io.fairlead.worker.prover;

/**
 * What one queue is like.
 *
 * @param depth entries; one of them stays free
 * @param transferBytesMax most bytes of data of one command
 * @param inCapsuleBytesMax most bytes of data to the controller that travel in the capsule of a command that is not a Fabrics command
 * @param keepAliveNanos how often to send Keep Alive; 0: never
 */
record QueueShape(int depth, int transferBytesMax, int inCapsuleBytesMax, long keepAliveNanos) {}
