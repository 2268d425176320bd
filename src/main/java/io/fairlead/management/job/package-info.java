/**
 * Jobs: the visible record of each requested change, from the intent to the proof.
 *
 * <p>A feature opens a job in the transaction of its change and says what has to become true: objects READY or gone on their heads,
 * paths proven. Each report of a head is held against the open jobs ({@link io.fairlead.management.job.JobService#evaluate}); what
 * is still open at the deadline fails with the last observed reason, while the worker goes on trying. Uses
 * {@code management.head}.
 */
package io.fairlead.management.job;
