package io.fairlead.worker.engine.embedded.tcp;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as people write them. */
final class Addresses {

    private static final int GROUP_COUNT = 8;

    private Addresses() {}

    /** {@code 192.0.2.1:40312} or, in the canonical form of RFC 5952, {@code [2001:db8::1]:40312}; a scope is kept. */
    static String text(InetSocketAddress address) {
        if (address.getAddress() instanceof Inet6Address inet6) {
            String text = inet6.getHostAddress();
            int percent = text.indexOf('%');
            String scope = percent < 0 ? "" : text.substring(percent);
            return "[" + canonical(inet6.getAddress()) + scope + "]:" + address.getPort();
        }
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** The longest run of two or more zero groups, the first of equals, is left out (RFC 5952, section 4.2). */
    private static String canonical(byte[] bytes) {
        int[] groups = new int[GROUP_COUNT];
        for (int i = 0; i < GROUP_COUNT; i++) {
            groups[i] = Byte.toUnsignedInt(bytes[2 * i]) << 8 | Byte.toUnsignedInt(bytes[2 * i + 1]);
        }
        int gapStart = 0;
        int gapLength = 1;
        for (int start = 0; start < GROUP_COUNT; start++) {
            int length = zerosFrom(groups, start);
            if (length > gapLength) {
                gapStart = start;
                gapLength = length;
            }
        }
        if (gapLength == 1) {
            return joined(groups, 0, GROUP_COUNT);
        }
        return joined(groups, 0, gapStart) + "::" + joined(groups, gapStart + gapLength, GROUP_COUNT);
    }

    private static int zerosFrom(int[] groups, int start) {
        int end = start;
        while (end < GROUP_COUNT && groups[end] == 0) {
            end++;
        }
        return end - start;
    }

    private static String joined(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
