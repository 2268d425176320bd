/**
 * The database as the management plane needs it beyond an entity manager: a real PostgreSQL started by us when none is configured,
 * plain SQL inside the running transaction, constraint names instead of driver exceptions, and LISTEN/NOTIFY as wake-ups.
 *
 * <p>May use what {@code platform} may use.
 */
package io.fairlead.platform.database;
