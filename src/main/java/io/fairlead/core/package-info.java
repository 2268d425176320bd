/**
 * Values that every part of Fairlead shares: typed ids, {@link io.fairlead.core.Generation}, sizes, and the one control-plane
 * {@link io.fairlead.core.Failure} with its stable codes.
 *
 * <p>Nothing here does I/O, reads a clock or knows a framework (Jackson's annotations excepted, so that ids are plain strings in
 * JSON). May use nothing of Fairlead. Everybody may use it.
 */
package io.fairlead.core;
