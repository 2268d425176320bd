package io.fairlead.nvme.spec;

/** Feature identifiers (NVM Express Base 2.0, section 5.27.1). */
public final class FeatureId {

    public static final int ARBITRATION = 0x01;
    public static final int POWER_MANAGEMENT = 0x02;
    public static final int TEMPERATURE_THRESHOLD = 0x04;
    public static final int ERROR_RECOVERY = 0x05;
    public static final int VOLATILE_WRITE_CACHE = 0x06;
    public static final int NUMBER_OF_QUEUES = 0x07;
    public static final int ASYNCHRONOUS_EVENT_CONFIGURATION = 0x0B;
    public static final int KEEP_ALIVE_TIMER = 0x0F;
    public static final int HOST_IDENTIFIER = 0x81;

    private FeatureId() {}
}
