/**
 * The worker process. It serves what its ledger says before it speaks to anybody, then asks the management plane for its desired state
 * and reports what it observes. Losing the management plane changes nothing for hosts.
 *
 * <p>Five threads, each a loop with one duty: {@code converge} (the only one that touches the engine and the pools), {@code prove},
 * {@code health}, {@code intent} and {@code report}. They share values that never change once published, and wake each other by nudges. Plain Java: no
 * application server, no class-path scanning. May use all of {@code worker}, except what is behind the engine's interface.
 */
package io.fairlead.worker.agent;
