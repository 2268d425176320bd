package io.fairlead.management.head;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import java.util.List;

/**
 * Cuts the controller ids of a subsystem (1 to FFEFh, NVM Express Base 2.0, section 5.17.2.1) into windows, one per head for ever: a
 * subsystem that is served by several heads must never show the same id twice.
 */
final class CntlidWindows {

    /** 127 heads with 512 controllers each per subsystem. */
    static final int WINDOW_COUNT = 512;

    private static final int FIRST = 1;
    private static final int LAST = 0xFFEF;

    private CntlidWindows() {}

    /**
     * The lowest window that touches none of those in use.
     *
     * @param used in ascending order
     */
    static CntlidWindow firstFree(List<CntlidWindow> used) {
        int first = FIRST;
        for (CntlidWindow window : used) {
            if (window.first() - first >= WINDOW_COUNT) {
                break;
            }
            first = Math.max(first, window.last() + 1);
        }
        int last = first + WINDOW_COUNT - 1;
        if (last > LAST) {
            throw Failure.of(
                    FailureCode.HEAD_LIMIT, "All windows of controller ids are given out. Delete a head that is gone.");
        }
        return new CntlidWindow(first, last);
    }
}
