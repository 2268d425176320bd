package io.fairlead.contract;

/**
 * The controller ids that one head may give out, both ends included. Windows of different heads never overlap, so that one
 * subsystem can be served by several heads.
 *
 * @param first 1 to 0xFFEF
 * @param last not below {@code first}, at most 0xFFEF (NVM Express Base 2.0, section 5.17.2.1: F000h and up are reserved)
 */
public record CntlidWindow(int first, int last) {
    public CntlidWindow {
        if (first < 1 || last > 0xFFEF || last < first) {
            throw new IllegalArgumentException("not a controller id window: " + first + " to " + last);
        }
    }
}
