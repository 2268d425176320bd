package io.fairlead.nvme.target;

/**
 * One poll group's way to one device. Each operation ends in exactly one {@link DeviceCompletion#onDone}, during the call itself or
 * during a later {@link #poll()}. Ranges were checked against the device's size by the caller. Nothing here allocates per operation.
 */
public interface DeviceQueue extends AutoCloseable {

    /** Reads {@code blocks} blocks into {@link FabricCommand#data()} from offset 0. */
    void read(FabricCommand command, long block, int blocks);

    /** Writes {@code blocks} blocks from {@link FabricCommand#data()}; with {@code FORCED} it is on stable media when done. */
    void write(FabricCommand command, long block, int blocks, UnitAccess access);

    /** Everything written and acknowledged before is on stable media when done. */
    void flush(FabricCommand command);

    /** The range reads as zeros afterwards, whether or not its space is given back. */
    void writeZeroes(FabricCommand command, long block, long blocks, Deallocation deallocation, UnitAccess access);

    /**
     * Advice that the data of the range is no longer needed: afterwards it reads as before or as zeros, so no controller may promise
     * zeros (DLFEAT bits 2:0 are 000b). Several ranges of one command come as several calls by the target.
     */
    void deallocate(FabricCommand command, long block, long blocks);

    /** Reaps what has finished; returns how many. */
    int poll();

    @Override
    void close();

    /** Force Unit Access of a write (NVM Command Set 1.0, section 3.2.6). */
    enum UnitAccess {
        CACHED,
        FORCED
    }

    /** Whether a Write Zeroes may deallocate (DEAC). */
    enum Deallocation {
        KEEP,
        MAY_DEALLOCATE
    }
}
