package io.fairlead.worker.inventory.health;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What Identify Controller tells of a drive (NVM Express Base 2.1, section 5.1.13.2.1).
 *
 * @param warningKelvin WCTEMP: from here on the drive is too warm for good; 0 when it is not reported
 * @param criticalKelvin CCTEMP: from here on it may stop or lose data; 0 when it is not reported
 */
record ControllerIdentity(String serial, String model, String firmware, int warningKelvin, int criticalKelvin) {

    static final int BYTES = 4096;

    private static final int SN_OFFSET = 4;
    private static final int SN_BYTES = 20;
    private static final int MN_OFFSET = 24;
    private static final int MN_BYTES = 40;
    private static final int FR_OFFSET = 64;
    private static final int FR_BYTES = 8;
    static final int WCTEMP_OFFSET = 266;
    static final int CCTEMP_OFFSET = 268;

    /** Reads a data structure of {@link #BYTES}; any content means something. */
    static ControllerIdentity of(byte[] data) {
        if (data.length != BYTES) {
            throw new IllegalArgumentException("Identify Controller has " + BYTES + " bytes, not " + data.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
        return new ControllerIdentity(
                text(data, SN_OFFSET, SN_BYTES),
                text(data, MN_OFFSET, MN_BYTES),
                text(data, FR_OFFSET, FR_BYTES),
                Short.toUnsignedInt(bytes.getShort(WCTEMP_OFFSET)),
                Short.toUnsignedInt(bytes.getShort(CCTEMP_OFFSET)));
    }

    /** Padded with spaces; some makers pad with NUL. */
    private static String text(byte[] data, int offset, int length) {
        return new String(data, offset, length, StandardCharsets.US_ASCII)
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
    }

    Optional<Integer> warningCelsius() {
        return Celsius.ofKelvin(warningKelvin);
    }

    Optional<Integer> criticalCelsius() {
        return Celsius.ofKelvin(criticalKelvin);
    }
}
