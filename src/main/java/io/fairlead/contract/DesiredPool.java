package io.fairlead.contract;

import io.fairlead.core.DriveId;
import io.fairlead.core.PoolId;
import java.util.List;

/**
 * A pool on whole drives of this head. Pools of directories come from the worker's command line and are not asked for here. A pool goes
 * only on an explicit {@link Presence#ABSENT}, and only when it holds no volume any more.
 *
 * @param name unique on the head, over all kinds of pools
 * @param drives never fewer than before: drives are added to a pool, not taken from it
 */
public record DesiredPool(
        PoolId id, String name, Layout layout, Provisioning provisioning, List<Member> drives, Presence presence) {

    public DesiredPool {
        drives = List.copyOf(drives);
    }

    /** How data lies on the drives. */
    public enum Layout {
        /** One after the other; the loss of a drive is the loss of what is on it. */
        LINEAR,
        /** Two copies, each on a drive of its own. */
        MIRROR,
        /** Two copies, each striped over half of the drives. */
        RAID10
    }

    /** When a volume takes its space. */
    public enum Provisioning {
        /** All of it when it is made. */
        THICK,
        /** As it is written; more may be promised than there is. */
        THIN
    }

    /** Whether the pool shall be there. */
    public enum Presence {
        PRESENT,
        ABSENT
    }

    /**
     * A drive of the pool.
     *
     * @param identity the stable identity under which the head reported the drive
     * @param agreedSignature the signature (for example {@code ext4}) whose loss the request agreed to, or empty
     */
    public record Member(DriveId driveId, String identity, String agreedSignature) {}
}
