/**
 * Volumes as preallocated files in a directory: the default of the embedded engine, without root and without a volume manager.
 *
 * <p>Each volume is a data file {@code <volume id>.volume} and a record {@code <volume id>.json}, which is written once the space is
 * allocated and before the data file gets its name. The record is the proof that the volume was made: a record without its file is a
 * lost volume, and a file without its record belongs to somebody else; neither is ever made anew or overwritten. May use
 * {@code worker.volume}, {@code core} and {@code contract}.
 */
package io.fairlead.worker.volume.file;
