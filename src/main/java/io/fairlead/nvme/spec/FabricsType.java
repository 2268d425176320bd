package io.fairlead.nvme.spec;

/** Types of Fabrics commands (NVM Express Base 2.0, section 6, FCTYPE). */
public final class FabricsType {

    public static final int PROPERTY_SET = 0x00;
    public static final int CONNECT = 0x01;
    public static final int PROPERTY_GET = 0x04;
    public static final int AUTHENTICATION_SEND = 0x05;
    public static final int AUTHENTICATION_RECEIVE = 0x06;
    public static final int DISCONNECT = 0x08;

    private FabricsType() {}
}
