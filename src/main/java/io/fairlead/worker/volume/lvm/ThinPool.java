package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredPool.Layout;
import io.fairlead.worker.volume.VolumeFault;
import io.fairlead.worker.volume.lvm.LvmReports.Group;
import io.fairlead.worker.volume.lvm.LvmReports.LogicalVolume;
import java.util.List;
import java.util.Optional;

/**
 * The thin pool of a group: as much of its space as is in one piece, which with {@code MIRROR} is that of two drives. Data and metadata are first volumes of the pool's layout, and are then made into
 * one; a stop in between is gone on from, because each has its mark.
 */
final class ThinPool {

    private static final long METADATA_BYTES_MIN = 8L << 20;
    /** The device mapper uses no more. */
    private static final long METADATA_BYTES_MAX = 15L << 30;
    /** LVM keeps about 64 bytes of each chunk. */
    private static final long CHUNK_METADATA_BYTES = 64;

    private static final long CHUNK_BYTES_MIN = 64L << 10;

    private ThinPool() {}

    /** Makes it be there, as large as the drives allow. */
    static Group ensure(DesiredPool wanted, LvmOnDrives lvm, Group group) throws VolumeFault {
        Group now = group;
        Optional<LogicalVolume> data = Extents.marked(now, Marks.ofThinData(wanted.id()));
        if (data.isPresent() && data.get().kind().equals("thin-pool")) {
            return grow(wanted, lvm, now, data.get());
        }
        Optional<LogicalVolume> metadata = Extents.marked(now, Marks.ofThinMetadata(wanted.id()));
        if (metadata.isEmpty()) {
            long metadataBytes = metadataBytes(Layouts.largestBytes(wanted.layout(), now));
            now = make(wanted, lvm, now, "thin-metadata", Marks.ofThinMetadata(wanted.id()), metadataBytes);
        }
        if (data.isEmpty()) {
            long dataBytes = Layouts.largestBytes(wanted.layout(), now);
            now = make(wanted, lvm, now, "thin", Marks.ofThinData(wanted.id()), dataBytes);
        }
        return join(wanted, lvm, now);
    }

    private static long metadataBytes(long dataBytes) {
        long needed = dataBytes / CHUNK_BYTES_MIN * CHUNK_METADATA_BYTES;
        return Math.clamp(needed, METADATA_BYTES_MIN, METADATA_BYTES_MAX);
    }

    static long chunkBytes(long dataBytes, long metadataBytes) {
        long chunkBytes = CHUNK_BYTES_MIN;
        while (dataBytes / chunkBytes * CHUNK_METADATA_BYTES > metadataBytes) {
            chunkBytes *= 2;
        }
        return chunkBytes;
    }

    private static Group make(
            DesiredPool wanted, LvmOnDrives lvm, Group group, String name, String mark, long sizeBytes)
            throws VolumeFault {
        Layouts.Place place = Layouts.place(wanted.layout(), group, Math.max(sizeBytes, group.extentBytes()))
                .orElseThrow(() -> VolumeFault.broken(
                        "pool.drives_too_small",
                        "The drives have too little room for a thin pool. Name larger ones, or make the pool thick.",
                        null));
        lvm.run(LvmPool.command(
                List.of("lvcreate"),
                place.arguments(),
                List.of("--wipesignatures", "n", "--zero", "n", "--activate", "y"),
                List.of("--name", name, "--addtag", mark, group.name()),
                place.devices()));
        return lvm.readAgain(group);
    }

    private static Group join(DesiredPool wanted, LvmOnDrives lvm, Group group) throws VolumeFault {
        LogicalVolume data = require(group, Marks.ofThinData(wanted.id()));
        LogicalVolume metadata = require(group, Marks.ofThinMetadata(wanted.id()));
        // Both are new and hold nothing: the question whether they may be written over is answered beforehand.
        lvm.run(
                "lvconvert",
                "--yes",
                "--type",
                "thin-pool",
                "--poolmetadata",
                group.name() + "/" + metadata.name(),
                "--poolmetadataspare",
                "n",
                "--chunksize",
                chunkBytes(data.sizeBytes(), metadata.sizeBytes()) + "b",
                "--zero",
                "y",
                group.name() + "/" + data.name());
        Group joined = lvm.readAgain(group);
        if (!require(joined, Marks.ofThinData(wanted.id())).kind().equals("thin-pool")) {
            throw VolumeFault.broken("pool.not_made", "LVM made a thin pool and does not show it as one.", null);
        }
        return joined;
    }

    private static LogicalVolume require(Group group, String mark) throws VolumeFault {
        return Extents.marked(group, mark)
                .orElseThrow(() -> VolumeFault.notYet(
                        "pool.not_made", "LVM does not show what it has just made (" + mark + ").", null));
    }

    /** Takes in the space of added drives. A pool with copies is not given any, because its copies would share drives. */
    private static Group grow(DesiredPool wanted, LvmOnDrives lvm, Group group, LogicalVolume thinPool)
            throws VolumeFault {
        long moreBytes = Layouts.freeBytes(wanted.layout(), group);
        if (wanted.layout() != Layout.LINEAR || moreBytes == 0) {
            return group;
        }
        lvm.run("lvextend", "--extents", "+" + moreBytes / group.extentBytes(), group.name() + "/" + thinPool.name());
        return lvm.readAgain(group);
    }

    /** Removes what is left of it, if nothing is in it. */
    static Group remove(DesiredPool unwanted, LvmOnDrives lvm, Group group) throws VolumeFault {
        Group now = group;
        for (String mark : List.of(Marks.ofThinData(unwanted.id()), Marks.ofThinMetadata(unwanted.id()))) {
            Optional<LogicalVolume> left = Extents.marked(now, mark);
            if (left.isPresent()) {
                lvm.run(
                        "lvchange",
                        "--activate",
                        "n",
                        now.name() + "/" + left.get().name());
                lvm.run("lvremove", now.name() + "/" + left.get().name());
                now = lvm.readAgain(now);
            }
        }
        return now;
    }
}
