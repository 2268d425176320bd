/**
 * What every feature of the management plane needs and no feature owns: failures as problem documents, cursor paging, entity tags,
 * repeated POSTs, the audit record, sealing of secrets at rest, who is asking, and the place where state is kept.
 *
 * <p>{@code platform.database} starts and watches PostgreSQL and turns its notifications into wake-ups; {@code platform.security}
 * knows tokens and roles. A resource throws {@link io.fairlead.core.Failure}; HTTP appears only in
 * {@link io.fairlead.platform.ProblemMapper}, which is the only exception mapper.
 *
 * <p>May use {@code core}, {@code contract} and {@code nvme.spec}; never a feature. All features may use it.
 */
package io.fairlead.platform;
