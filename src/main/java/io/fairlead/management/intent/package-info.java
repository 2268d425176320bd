/**
 * The worker API, {@code /worker/v1}: enrolment, the desired state of a head, and its reports.
 *
 * <p>Last of the chain of features: the desired state is put together from all of them, in one snapshot of the database, and a report
 * is handed to all of them, in one transaction. The types on the wire are {@code io.fairlead.contract}.
 */
package io.fairlead.management.intent;
