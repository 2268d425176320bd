package io.fairlead.worker.inventory.health;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/**
 * The SMART / Health Information log page (NVM Express Base 2.1, section 5.1.12.1.3). Counters have 128 bits on the wire; one that does
 * not fit stands at the greatest {@code long}, which no drive reaches in its life.
 *
 * @param temperatureKelvin the composite temperature; 0 when the drive does not report it
 * @param percentageUsed 0 to 255; 255 stands for everything above
 * @param dataUnitsRead in thousands of 512 bytes, as {@code dataUnitsWritten}
 */
record SmartLog(
        Set<CriticalWarning> criticalWarnings,
        int temperatureKelvin,
        int availableSparePercent,
        int spareThresholdPercent,
        int percentageUsed,
        long dataUnitsRead,
        long dataUnitsWritten,
        long hostReadCommands,
        long hostWriteCommands,
        long controllerBusyMinutes,
        long powerCycles,
        long powerOnHours,
        long unsafeShutdowns,
        long mediaErrors,
        long errorLogEntries,
        long warningTemperatureMinutes,
        long criticalTemperatureMinutes) {

    static final int BYTES = 512;

    static final int CRITICAL_WARNING_OFFSET = 0;
    static final int COMPOSITE_TEMPERATURE_OFFSET = 1;
    static final int AVAILABLE_SPARE_OFFSET = 3;
    static final int AVAILABLE_SPARE_THRESHOLD_OFFSET = 4;
    static final int PERCENTAGE_USED_OFFSET = 5;
    static final int DATA_UNITS_READ_OFFSET = 32;
    static final int DATA_UNITS_WRITTEN_OFFSET = 48;
    static final int HOST_READ_COMMANDS_OFFSET = 64;
    static final int HOST_WRITE_COMMANDS_OFFSET = 80;
    static final int CONTROLLER_BUSY_TIME_OFFSET = 96;
    static final int POWER_CYCLES_OFFSET = 112;
    static final int POWER_ON_HOURS_OFFSET = 128;
    static final int UNSAFE_SHUTDOWNS_OFFSET = 144;
    static final int MEDIA_ERRORS_OFFSET = 160;
    static final int ERROR_LOG_ENTRIES_OFFSET = 176;
    static final int WARNING_TEMPERATURE_TIME_OFFSET = 192;
    static final int CRITICAL_TEMPERATURE_TIME_OFFSET = 196;

    private static final long DATA_UNIT_BYTES = 1000 * 512;

    /** Reads a page of {@link #BYTES}; any content means something. */
    static SmartLog of(byte[] page) {
        if (page.length != BYTES) {
            throw new IllegalArgumentException("a SMART log page has " + BYTES + " bytes, not " + page.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        return new SmartLog(
                CriticalWarning.of(page[CRITICAL_WARNING_OFFSET]),
                Short.toUnsignedInt(bytes.getShort(COMPOSITE_TEMPERATURE_OFFSET)),
                Byte.toUnsignedInt(page[AVAILABLE_SPARE_OFFSET]),
                Byte.toUnsignedInt(page[AVAILABLE_SPARE_THRESHOLD_OFFSET]),
                Byte.toUnsignedInt(page[PERCENTAGE_USED_OFFSET]),
                counter(bytes, DATA_UNITS_READ_OFFSET),
                counter(bytes, DATA_UNITS_WRITTEN_OFFSET),
                counter(bytes, HOST_READ_COMMANDS_OFFSET),
                counter(bytes, HOST_WRITE_COMMANDS_OFFSET),
                counter(bytes, CONTROLLER_BUSY_TIME_OFFSET),
                counter(bytes, POWER_CYCLES_OFFSET),
                counter(bytes, POWER_ON_HOURS_OFFSET),
                counter(bytes, UNSAFE_SHUTDOWNS_OFFSET),
                counter(bytes, MEDIA_ERRORS_OFFSET),
                counter(bytes, ERROR_LOG_ENTRIES_OFFSET),
                Integer.toUnsignedLong(bytes.getInt(WARNING_TEMPERATURE_TIME_OFFSET)),
                Integer.toUnsignedLong(bytes.getInt(CRITICAL_TEMPERATURE_TIME_OFFSET)));
    }

    private static long counter(ByteBuffer bytes, int offset) {
        long low = bytes.getLong(offset);
        long high = bytes.getLong(offset + Long.BYTES);
        return high != 0 || low < 0 ? Long.MAX_VALUE : low;
    }

    Optional<Integer> temperatureCelsius() {
        return Celsius.ofKelvin(temperatureKelvin);
    }

    long dataReadBytes() {
        return bytes(dataUnitsRead);
    }

    long dataWrittenBytes() {
        return bytes(dataUnitsWritten);
    }

    private static long bytes(long units) {
        return units > Long.MAX_VALUE / DATA_UNIT_BYTES ? Long.MAX_VALUE : units * DATA_UNIT_BYTES;
    }
}
