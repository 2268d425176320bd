package io.fairlead.management.head;

import io.fairlead.contract.AddressFamily;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An IP address as a listener has it: IPv4 in dotted decimals, IPv6 in the one form of RFC 5952, with its {@code %scope} if it has
 * one. Read by our own hand: the JDK would ask a name service about whatever it does not recognise, and reads {@code 010.1} as an
 * address.
 *
 * @param text canonical, no brackets
 */
record TransportAddress(AddressFamily family, String text) {

    private static final int GROUP_COUNT = 8;
    private static final int OCTET_COUNT = 4;

    /** Reads {@code 192.0.2.1}, {@code 2001:db8::1}, {@code [::1]}, {@code fe80::1%eth0}; an IPv4-mapped address becomes the IPv4 address. */
    static TransportAddress parse(String input) {
        String address = input.strip();
        if (address.startsWith("[") && address.endsWith("]")) {
            address = address.substring(1, address.length() - 1);
            if (address.indexOf(':') < 0) {
                throw invalid(input);
            }
        }
        if (address.indexOf(':') < 0) {
            int[] octets = octets(address).orElseThrow(() -> invalid(input));
            return new TransportAddress(AddressFamily.IPV4, dotted(octets));
        }
        int percent = address.indexOf('%');
        String scope = percent < 0 ? "" : address.substring(percent);
        if (percent >= 0 && !scope.matches("%[A-Za-z0-9._-]{1,15}")) {
            throw invalid(input);
        }
        int[] groups =
                groups(percent < 0 ? address : address.substring(0, percent)).orElseThrow(() -> invalid(input));
        if (isMapped(groups)) {
            int[] octets = {groups[6] >>> 8, groups[6] & 0xFF, groups[7] >>> 8, groups[7] & 0xFF};
            return new TransportAddress(AddressFamily.IPV4, dotted(octets));
        }
        return new TransportAddress(AddressFamily.IPV6, canonical(groups) + scope);
    }

    private static Failure invalid(String input) {
        return Failure.ofField(
                FailureCode.LISTENER_ADDRESS_INVALID,
                "/traddr",
                "'" + input
                        + "' is not an IP address. Give one such as 192.0.2.1 or 2001:db8::1; names are not looked up.");
    }

    private static Optional<int[]> octets(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != OCTET_COUNT) {
            return Optional.empty();
        }
        int[] octets = new int[OCTET_COUNT];
        for (int i = 0; i < OCTET_COUNT; i++) {
            // No leading zero: some would read it as octal.
            if (!parts[i].matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(parts[i]) > 0xFF) {
                return Optional.empty();
            }
            octets[i] = Integer.parseInt(parts[i]);
        }
        return Optional.of(octets);
    }

    private static String dotted(int[] octets) {
        return octets[0] + "." + octets[1] + "." + octets[2] + "." + octets[3];
    }

    private static Optional<int[]> groups(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            return side(text).filter(all -> all.length == GROUP_COUNT);
        }
        String after = text.substring(gap + 2);
        if (after.contains("::") || after.startsWith(":")) {
            return Optional.empty();
        }
        Optional<int[]> left = gap == 0 ? Optional.of(new int[0]) : side(text.substring(0, gap));
        Optional<int[]> right = after.isEmpty() ? Optional.of(new int[0]) : side(after);
        if (left.isEmpty() || right.isEmpty() || left.get().length + right.get().length >= GROUP_COUNT) {
            return Optional.empty();
        }
        int[] all = Arrays.copyOf(left.get(), GROUP_COUNT);
        int count = right.get().length;
        System.arraycopy(right.get(), 0, all, GROUP_COUNT - count, count);
        return Optional.of(all);
    }

    /** Groups between colons; the last may be a dotted IPv4 address, which is two groups. */
    private static Optional<int[]> side(String text) {
        String[] parts = text.split(":", -1);
        int[] groups = new int[parts.length + 1];
        int count = 0;
        for (int i = 0; i < parts.length; i++) {
            if (i == parts.length - 1 && parts[i].indexOf('.') >= 0) {
                Optional<int[]> octets = octets(parts[i]);
                if (octets.isEmpty()) {
                    return Optional.empty();
                }
                groups[count++] = octets.get()[0] << 8 | octets.get()[1];
                groups[count++] = octets.get()[2] << 8 | octets.get()[3];
                continue;
            }
            OptionalInt group = group(parts[i]);
            if (group.isEmpty()) {
                return Optional.empty();
            }
            groups[count++] = group.getAsInt();
        }
        return Optional.of(Arrays.copyOf(groups, count));
    }

    private static OptionalInt group(String text) {
        return text.matches("[0-9A-Fa-f]{1,4}") ? OptionalInt.of(Integer.parseInt(text, 16)) : OptionalInt.empty();
    }

    private static boolean isMapped(int[] groups) {
        return Arrays.stream(groups, 0, 5).allMatch(group -> group == 0) && groups[5] == 0xFFFF;
    }

    /** RFC 5952, section 4: lower case, no leading zeros, the first of the longest runs of two or more zero groups as {@code ::}. */
    private static String canonical(int[] groups) {
        int runStart = -1;
        int runCount = 1;
        for (int i = 0; i < GROUP_COUNT; i++) {
            int end = i;
            while (end < GROUP_COUNT && groups[end] == 0) {
                end++;
            }
            if (end - i > runCount) {
                runStart = i;
                runCount = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUP_COUNT; i++) {
            if (i == runStart) {
                text.append("::");
                i += runCount - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }
}
