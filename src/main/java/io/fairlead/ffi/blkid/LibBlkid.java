package io.fairlead.ffi.blkid;

import jnr.ffi.Pointer;
import jnr.ffi.byref.NativeLongByReference;
import jnr.ffi.byref.PointerByReference;
import jnr.ffi.types.int64_t;

/** Functions of {@code libblkid.so.1}, as C names them (blkid/blkid.h). Public because jnr-ffi implements it; use {@link Blkid}. */
public interface LibBlkid {

    int BLKID_SUBLKS_LABEL = 1 << 1;
    int BLKID_SUBLKS_UUID = 1 << 3;
    int BLKID_SUBLKS_TYPE = 1 << 5;
    int BLKID_SUBLKS_USAGE = 1 << 7;
    int BLKID_SUBLKS_BADCSUM = 1 << 10;
    int BLKID_PARTS_FORCE_GPT = 1 << 1;

    Pointer blkid_new_probe();

    void blkid_free_probe(Pointer pr);

    int blkid_probe_set_device(Pointer pr, int fd, @int64_t long off, @int64_t long size);

    int blkid_probe_enable_superblocks(Pointer pr, int enable);

    int blkid_probe_set_superblocks_flags(Pointer pr, int flags);

    int blkid_probe_enable_partitions(Pointer pr, int enable);

    int blkid_probe_set_partitions_flags(Pointer pr, int flags);

    void blkid_reset_probe(Pointer pr);

    /** 0 found, 1 nothing, −2 several that contradict each other, −1 error. */
    int blkid_do_safeprobe(Pointer pr);

    /** The next finding of all: 0 found, 1 no more, −1 error. */
    int blkid_do_probe(Pointer pr);

    /** 0 found. The text ends with NUL and belongs to the probe. */
    int blkid_probe_lookup_value(Pointer pr, String name, PointerByReference data, NativeLongByReference len);
}
