package io.fairlead.nvme.spec;

/** Log page identifiers (NVM Express Base 2.0, section 5.16.1). */
public final class LogPageId {

    public static final int SUPPORTED_LOG_PAGES = 0x00;
    public static final int ERROR_INFORMATION = 0x01;
    public static final int SMART_HEALTH = 0x02;
    public static final int FIRMWARE_SLOT = 0x03;
    public static final int CHANGED_NAMESPACE_LIST = 0x04;
    public static final int COMMANDS_SUPPORTED_AND_EFFECTS = 0x05;
    public static final int ASYMMETRIC_NAMESPACE_ACCESS = 0x0C;
    public static final int DISCOVERY = 0x70;

    private LogPageId() {}
}
