package io.fairlead.worker.inventory.health;

import java.util.EnumSet;
import java.util.Set;

/** Bits of the Critical Warning field (NVM Express Base 2.1, section 5.1.12.1.3, byte 0). Bits 6 and 7 are reserved and ignored. */
enum CriticalWarning {
    /** The available spare fell below its threshold. */
    AVAILABLE_SPARE,
    /** A temperature is beyond a threshold. */
    TEMPERATURE,
    /** Media errors or an internal error made the NVM subsystem less reliable. */
    RELIABILITY_DEGRADED,
    /** The media takes no more writes. */
    READ_ONLY,
    /** What keeps volatile memory alive through a power cut has failed. */
    VOLATILE_BACKUP_FAILED,
    /** The persistent memory region is read-only or unreliable. */
    PERSISTENT_MEMORY_REGION;

    static Set<CriticalWarning> of(int bits) {
        Set<CriticalWarning> set = EnumSet.noneOf(CriticalWarning.class);
        for (CriticalWarning warning : values()) {
            if ((bits & 1 << warning.ordinal()) != 0) {
                set.add(warning);
            }
        }
        return set;
    }
}
