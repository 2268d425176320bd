package io.fairlead.worker.prover;

import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 4096}, {@code 128KiB}, {@code 64MiB} or {@code 2GiB}. */
final class ByteCount implements ITypeConverter<Long> {

    private static final Map<String, Integer> SHIFTS = Map.of("kib", 10, "mib", 20, "gib", 30);

    @Override
    public Long convert(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int shift = 0;
        for (Map.Entry<String, Integer> unit : SHIFTS.entrySet()) {
            if (lower.endsWith(unit.getKey())) {
                lower = lower.substring(0, lower.length() - unit.getKey().length());
                shift = unit.getValue();
            }
        }
        try {
            return Math.multiplyExact(Long.parseUnsignedLong(lower.strip()), 1L << shift);
        } catch (ArithmeticException | NumberFormatException wrong) {
            throw new TypeConversionException("'" + text + "' is not a number of bytes, like 4096 or 64MiB");
        }
    }
}
