package io.fairlead.worker.engine.nvmet;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The machine around the fake tree: its addresses, devices and modules, and what its kernel was built without. At first it has the
 * loopback addresses, the tcp transport and every feature; its devices are the files of this machine.
 */
final class FakeWorld {

    enum Feature {
        AUTHENTICATION,
        PASSTHRU,
        REVALIDATE,
        MAX_QUEUE_SIZE,
        OUI
    }

    private final Set<InetAddress> addresses = new HashSet<>();
    private final Set<InetAddress> rdmaAddresses = new HashSet<>();
    private final Set<String> transports = new HashSet<>(Set.of("tcp"));
    private final Map<String, Optional<Errno>> devices = new HashMap<>();
    private final Set<Feature> features = EnumSet.allOf(Feature.class);

    FakeWorld addAddress(String address) {
        addresses.add(InetAddress.ofLiteral(address));
        return this;
    }

    /** An address of an interface that does RDMA. */
    FakeWorld addRdmaAddress(String address) {
        rdmaAddresses.add(InetAddress.ofLiteral(address));
        return addAddress(address);
    }

    FakeWorld removeAddress(String address) {
        addresses.remove(InetAddress.ofLiteral(address));
        rdmaAddresses.remove(InetAddress.ofLiteral(address));
        return this;
    }

    FakeWorld loadTransport(String transport) {
        transports.add(transport);
        return this;
    }

    FakeWorld unloadTransport(String transport) {
        transports.remove(transport);
        return this;
    }

    /** A device that opens, whether there is such a file or not. */
    FakeWorld addDevice(String path) {
        devices.put(path, Optional.empty());
        return this;
    }

    /** A device that fails to open, even where there is such a file. */
    FakeWorld breakDevice(String path, Errno errno) {
        devices.put(path, Optional.of(errno));
        return this;
    }

    FakeWorld withoutAuth() {
        return without(Feature.AUTHENTICATION);
    }

    FakeWorld withoutPassthru() {
        return without(Feature.PASSTHRU);
    }

    FakeWorld withoutRevalidate() {
        return without(Feature.REVALIDATE);
    }

    FakeWorld withoutMaxQueueSize() {
        return without(Feature.MAX_QUEUE_SIZE);
    }

    FakeWorld withoutOui() {
        return without(Feature.OUI);
    }

    private FakeWorld without(Feature feature) {
        features.remove(feature);
        return this;
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    boolean hasTransport(String transport) {
        return transports.contains(transport);
    }

    boolean isLocal(InetAddress address) {
        return address.isAnyLocalAddress() || address.isLoopbackAddress() || addresses.contains(address);
    }

    boolean doesRdma(InetAddress address) {
        return address.isAnyLocalAddress() || rdmaAddresses.contains(address);
    }

    /** Why the device does not open; empty if it does. */
    Optional<Errno> open(String path) {
        Optional<Errno> told = devices.get(path);
        if (told != null) {
            return told;
        }
        return Files.exists(Path.of(path)) ? Optional.empty() : Optional.of(Errno.ENOENT);
    }
}
