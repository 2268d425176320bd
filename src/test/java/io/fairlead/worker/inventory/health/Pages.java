package io.fairlead.worker.inventory.health;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Data structures as a healthy drive sends them, for tests to spoil. */
final class Pages {

    static final String SERIAL = "HEADNVME1";

    private final ByteBuffer smart = ByteBuffer.allocate(SmartLog.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer identity =
            ByteBuffer.allocate(ControllerIdentity.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    Pages() {
        smart.putShort(SmartLog.COMPOSITE_TEMPERATURE_OFFSET, (short) 313);
        smart.put(SmartLog.AVAILABLE_SPARE_OFFSET, (byte) 100);
        smart.put(SmartLog.AVAILABLE_SPARE_THRESHOLD_OFFSET, (byte) 10);
        text(4, 20, SERIAL);
        text(24, 40, "QEMU NVMe Ctrl");
        text(64, 8, "9.0");
        limits(343, 373);
    }

    private void text(int offset, int length, String text) {
        byte[] padded = new byte[length];
        Arrays.fill(padded, (byte) ' ');
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, padded, 0, bytes.length);
        identity.put(offset, padded);
    }

    Pages serial(String serial) {
        text(4, 20, serial);
        return this;
    }

    Pages limits(int warningKelvin, int criticalKelvin) {
        identity.putShort(ControllerIdentity.WCTEMP_OFFSET, (short) warningKelvin);
        identity.putShort(ControllerIdentity.CCTEMP_OFFSET, (short) criticalKelvin);
        return this;
    }

    Pages criticalWarning(int bits) {
        return smartByte(SmartLog.CRITICAL_WARNING_OFFSET, bits);
    }

    Pages smartByte(int offset, int value) {
        smart.put(offset, (byte) value);
        return this;
    }

    Pages kelvin(int kelvin) {
        smart.putShort(SmartLog.COMPOSITE_TEMPERATURE_OFFSET, (short) kelvin);
        return this;
    }

    /** A counter of 128 bits. */
    Pages counter(int offset, long low, long high) {
        smart.putLong(offset, low);
        smart.putLong(offset + Long.BYTES, high);
        return this;
    }

    Pages mediaErrors(long count) {
        return counter(SmartLog.MEDIA_ERRORS_OFFSET, count, 0);
    }

    byte[] smartPage() {
        return smart.array().clone();
    }

    byte[] identityPage() {
        return identity.array().clone();
    }

    SmartLog smart() {
        return SmartLog.of(smartPage());
    }

    ControllerIdentity identity() {
        return ControllerIdentity.of(identityPage());
    }
}
