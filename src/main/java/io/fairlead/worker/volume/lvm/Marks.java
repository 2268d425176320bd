package io.fairlead.worker.volume.lvm;

import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * By what Fairlead knows its own. Tags are compared as a whole. The names that things get are for people, and nothing is decided by
 * them.
 */
final class Marks {

    static final String POOL = "fairlead.pool=";

    /** The volume has been written with zeros as a whole, and may hold data since. */
    static final String ZEROED = "fairlead.zeroed";

    private static final String VOLUME = "fairlead.volume=";
    private static final String GROWTH = "fairlead.growth=";
    private static final String THIN_DATA = "fairlead.thin-data=";
    private static final String THIN_METADATA = "fairlead.thin-metadata=";
    private static final int PHYSICAL_VOLUME_DIGITS = 32;

    private Marks() {}

    static String of(PoolId pool) {
        return POOL + pool;
    }

    static String of(VolumeId volume) {
        return VOLUME + volume;
    }

    static boolean isOfAVolume(String tag) {
        return tag.startsWith(VOLUME);
    }

    /** Of space that is written with zeros before it becomes the end of a volume. */
    static String ofGrowth(VolumeId volume) {
        return GROWTH + volume;
    }

    /** Of the thin pool, and of the volume that becomes it. */
    static String ofThinData(PoolId pool) {
        return THIN_DATA + pool;
    }

    static String ofThinMetadata(PoolId pool) {
        return THIN_METADATA + pool;
    }

    static String groupName(PoolId pool) {
        return "fairlead-" + pool;
    }

    static String volumeName(VolumeId volume) {
        return "volume-" + volume;
    }

    static String growthName(VolumeId volume) {
        return "growth-" + volume;
    }

    /**
     * The identifier that the pool gives to the drive. A drive that LVM has prepared and that is in no group yet can have no tag; by this
     * it is known as an unfinished beginning of this very pool on this very drive.
     */
    static String physicalVolume(PoolId pool, String driveIdentity) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((pool + " " + driveIdentity).getBytes(StandardCharsets.UTF_8));
            String digits = HexFormat.of().formatHex(digest).substring(0, PHYSICAL_VOLUME_DIGITS);
            // As LVM writes them: 6-4-4-4-4-4-6.
            return String.join(
                    "-",
                    digits.substring(0, 6),
                    digits.substring(6, 10),
                    digits.substring(10, 14),
                    digits.substring(14, 18),
                    digits.substring(18, 22),
                    digits.substring(22, 26),
                    digits.substring(26));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** What the device mapper calls the logical volume. */
    static String mapperUuid(LvmReports.Group group, LvmReports.LogicalVolume volume) {
        return "LVM-" + group.uuid().replace("-", "") + volume.uuid().replace("-", "");
    }
}
