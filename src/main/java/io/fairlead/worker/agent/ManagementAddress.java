package io.fairlead.worker.agent;

import java.net.InetAddress;
import java.net.URI;

/** Where the management plane is. Host keys travel there, so anything but this very machine must be spoken to over TLS. */
record ManagementAddress(URI uri) {

    ManagementAddress {
        String scheme = String.valueOf(uri.getScheme());
        if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(uri + " is not the address of a management plane");
        }
        boolean secure = scheme.equals("https");
        if (!secure && !(scheme.equals("http") && isLoopback(uri.getHost()))) {
            throw new IllegalArgumentException(
                    uri + " is not safe: use https, or http to a loopback address of this machine");
        }
    }

    static ManagementAddress of(String text) {
        return new ManagementAddress(URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text));
    }

    URI resolve(String path) {
        return URI.create(uri + path);
    }

    /** By the address itself: a name may resolve to anything by the time it is used, but for {@code localhost} (RFC 6761, section 6.3). */
    private static boolean isLoopback(String host) {
        if (host.equals("localhost")) {
            return true;
        }
        String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        try {
            return InetAddress.ofLiteral(literal).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
