package io.fairlead.worker.engine.embedded.tcp;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as people write them. */
final class Addresses {

    private Addresses() {}

    /** {@code 192.0.2.1:40312} or {@code [2001:db8::1]:40312}; IPv6 in the form of the JDK. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return address.getAddress() instanceof Inet6Address
                ? "[" + host + "]:" + address.getPort()
                : host + ":" + address.getPort();
    }
}
