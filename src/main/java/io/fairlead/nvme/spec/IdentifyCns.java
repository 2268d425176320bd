package io.fairlead.nvme.spec;

/** What an Identify command asks for (NVM Express Base 2.0, section 5.17.1, CNS). */
public final class IdentifyCns {

    public static final int NAMESPACE = 0x00;
    public static final int CONTROLLER = 0x01;
    public static final int ACTIVE_NAMESPACES = 0x02;
    public static final int NAMESPACE_DESCRIPTORS = 0x03;
    public static final int COMMAND_SET_NAMESPACE = 0x05;
    public static final int COMMAND_SET_CONTROLLER = 0x06;
    public static final int COMMAND_SET_ACTIVE_NAMESPACES = 0x07;
    public static final int INDEPENDENT_NAMESPACE = 0x08;
    public static final int COMMAND_SETS = 0x1C;

    private IdentifyCns() {}
}
