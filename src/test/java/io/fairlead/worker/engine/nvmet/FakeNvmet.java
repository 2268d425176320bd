package io.fairlead.worker.engine.nvmet;

import io.fairlead.worker.engine.nvmet.FakeDirectory.Kind;
import io.fairlead.worker.engine.nvmet.FakeWorld.Feature;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of the kernel's target about its objects: what may be made, stored and linked, and when. */
final class FakeNvmet {

    private static final String DISCOVERY_NQN = "nqn.2014-08.org.nvmexpress.discovery";
    private static final long NSID_BROADCAST = 0xffff_ffffL;
    private static final int ANA_GROUPS_MAX = 128;
    private static final int QUEUES_MAX = 128;
    private static final int QUEUE_SIZE_MIN = 16;
    private static final int QUEUE_SIZE_MAX = 1024;
    private static final int RDMA_QUEUE_SIZE_DEFAULT = 128;
    private static final int RDMA_QUEUE_SIZE_MAX = 256;
    private static final int TRADDR_BYTES = 256;
    private static final int TRSVCID_BYTES = 32;
    private static final int SERIAL_BYTES = 20;
    private static final int MODEL_BYTES = 40;
    private static final int FIRMWARE_BYTES = 8;
    private static final int NQN_BYTES = 223;
    private static final Set<String> ANA_STATES =
            Set.of("optimized", "non-optimized", "inaccessible", "persistent-loss", "change");
    private static final Pattern NGUID = Pattern.compile("(?:[0-9a-fA-F]{2}[-:]?){16}.*", Pattern.DOTALL);
    private static final Pattern UUID_TEXT = Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
    private static final Pattern SECRET = Pattern.compile("DHHC-1:(\\d{1,3}):.*", Pattern.DOTALL);
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?\\n?");

    private final FakeWorld world;
    private final FakeDirectory root = new FakeDirectory(Kind.ROOT, "nvmet", null, true);
    private final FakeDirectory subsystems = root.addDefault(Kind.SUBSYSTEMS, "subsystems");
    private final FakeDirectory ports = root.addDefault(Kind.PORTS, "ports");
    private final Set<FakeDirectory> discovered = new HashSet<>();

    FakeNvmet(FakeWorld world) {
        this.world = world;
        root.addDefault(Kind.HOSTS, "hosts");
        root.attributes.put("discovery_nqn", DISCOVERY_NQN);
    }

    FakeDirectory root() {
        return root;
    }

    void markDiscovered(String nqn) {
        discovered.add(Objects.requireNonNull(subsystems.directories.get(nqn), nqn));
    }

    // What may be made.

    FakeDirectory make(FakeDirectory parent, String name) throws FakeRefusal {
        return switch (parent.kind) {
            case HOSTS -> makeHost(parent, name);
            case SUBSYSTEMS -> makeSubsystem(parent, name);
            case NAMESPACES -> makeNamespace(parent, name);
            case PORTS -> makePort(parent, name);
            case REFERRALS -> makeReferral(parent, name);
            case ANA_GROUPS -> makeAnaGroup(parent, name);
            default -> throw new FakeRefusal(Errno.EPERM);
        };
    }

    private FakeDirectory makeHost(FakeDirectory parent, String nqn) {
        FakeDirectory host = new FakeDirectory(Kind.HOST, nqn, parent, false);
        if (world.has(Feature.AUTHENTICATION)) {
            host.attributes.put("dhchap_ctrl_key", "");
            host.attributes.put("dhchap_dhgroup", "null");
            host.attributes.put("dhchap_hash", "hmac(sha256)");
            host.attributes.put("dhchap_key", "");
        }
        return host;
    }

    private FakeDirectory makeSubsystem(FakeDirectory parent, String nqn) throws FakeRefusal {
        require(!nqn.equals(DISCOVERY_NQN) && !root.is("discovery_nqn", nqn), Errno.EINVAL);
        FakeDirectory subsystem = new FakeDirectory(Kind.SUBSYSTEM, nqn, parent, false);
        subsystem.attributes.put("attr_allow_any_host", "0");
        subsystem.attributes.put("attr_cntlid_max", "65519");
        subsystem.attributes.put("attr_cntlid_min", "1");
        subsystem.attributes.put("attr_firmware", "6.12.0-1");
        subsystem.attributes.put("attr_model", "Linux");
        subsystem.attributes.put("attr_pi_enable", "0");
        subsystem.attributes.put("attr_qid_max", Integer.toString(QUEUES_MAX));
        subsystem.attributes.put(
                "attr_serial", chosenFor(subsystem).toString().replace("-", "").substring(16));
        subsystem.attributes.put("attr_version", "1.3");
        if (world.has(Feature.OUI)) {
            subsystem.attributes.put("attr_ieee_oui", "0x000000");
        }
        subsystem.addDefault(Kind.NAMESPACES, "namespaces");
        subsystem.addDefault(Kind.ALLOWED_HOSTS, "allowed_hosts");
        if (world.has(Feature.PASSTHRU)) {
            FakeDirectory passthru = subsystem.addDefault(Kind.PASSTHRU, "passthru");
            passthru.attributes.put("admin_timeout", "0");
            passthru.attributes.put("clear_ids", "0");
            passthru.attributes.put("device_path", "(null)");
            passthru.attributes.put("enable", "0");
            passthru.attributes.put("io_timeout", "0");
        }
        return subsystem;
    }

    private FakeDirectory makeNamespace(FakeDirectory parent, String name) throws FakeRefusal {
        long nsid = unsigned(name, 32);
        require(nsid != 0 && nsid != NSID_BROADCAST, Errno.EINVAL);
        FakeDirectory namespace = new FakeDirectory(Kind.NAMESPACE, name, parent, false);
        namespace.attributes.put("ana_grpid", "1");
        namespace.attributes.put("buffered_io", "0");
        namespace.attributes.put("device_nguid", new UUID(0, 0).toString());
        namespace.attributes.put("device_path", "(null)");
        namespace.attributes.put("device_uuid", chosenFor(namespace).toString());
        namespace.attributes.put("enable", "0");
        if (world.has(Feature.REVALIDATE)) {
            namespace.attributes.put("revalidate_size", "");
        }
        return namespace;
    }

    /** Where the kernel draws lots, the fake takes what follows from the name. */
    private static UUID chosenFor(FakeDirectory object) {
        return UUID.nameUUIDFromBytes((object.parent.parent.name + "/" + object.name).getBytes(StandardCharsets.UTF_8));
    }

    private FakeDirectory makePort(FakeDirectory parent, String name) throws FakeRefusal {
        try {
            unsigned(name, 16);
        } catch (FakeRefusal refusal) {
            throw new FakeRefusal(Errno.EINVAL);
        }
        FakeDirectory port = new FakeDirectory(Kind.PORT, name, parent, false);
        addAddress(port);
        port.attributes.put("addr_tsas", "");
        port.attributes.put("param_inline_data_size", "-1");
        port.attributes.put("param_pi_enable", "0");
        if (world.has(Feature.MAX_QUEUE_SIZE)) {
            port.attributes.put("param_max_queue_size", "-1");
        }
        port.addDefault(Kind.PORT_SUBSYSTEMS, "subsystems");
        port.addDefault(Kind.REFERRALS, "referrals");
        FakeDirectory groups = port.addDefault(Kind.ANA_GROUPS, "ana_groups");
        groups.addDefault(Kind.ANA_GROUP, "1").attributes.put("ana_state", "optimized");
        return port;
    }

    private static FakeDirectory makeReferral(FakeDirectory parent, String name) {
        FakeDirectory referral = new FakeDirectory(Kind.REFERRAL, name, parent, false);
        addAddress(referral);
        referral.attributes.put("addr_portid", "0");
        referral.attributes.put("enable", "0");
        return referral;
    }

    private static void addAddress(FakeDirectory port) {
        port.attributes.put("addr_adrfam", "");
        port.attributes.put("addr_traddr", "");
        port.attributes.put("addr_treq", "not specified");
        port.attributes.put("addr_trsvcid", "");
        port.attributes.put("addr_trtype", "");
    }

    private static FakeDirectory makeAnaGroup(FakeDirectory parent, String name) throws FakeRefusal {
        long id = unsigned(name, 32);
        require(id > 1 && id <= ANA_GROUPS_MAX, Errno.EINVAL);
        FakeDirectory group = new FakeDirectory(Kind.ANA_GROUP, name, parent, false);
        group.attributes.put("ana_state", "inaccessible");
        return group;
    }

    // What may be linked.

    void allowLink(FakeDirectory parent, FakeDirectory target) throws FakeRefusal {
        boolean toPort = parent.kind == Kind.PORT_SUBSYSTEMS;
        require(target.kind == (toPort ? Kind.SUBSYSTEM : Kind.HOST), Errno.EINVAL);
        if (!toPort) {
            require(parent.parent.is("attr_allow_any_host", "0"), Errno.EINVAL);
        }
        require(!parent.links.containsValue(target), Errno.EEXIST);
        if (toPort && parent.links.isEmpty()) {
            enablePort(parent.parent);
        }
    }

    private void enablePort(FakeDirectory port) throws FakeRefusal {
        String transport = port.attribute("addr_trtype");
        require(world.hasTransport(transport), Errno.EINVAL);
        require(port.is("param_pi_enable", "0") || transport.equals("rdma"), Errno.EINVAL);
        if (!transport.equals("loop")) {
            bind(port, transport);
        }
        settleLimits(port, transport);
    }

    private void bind(FakeDirectory port, String transport) throws FakeRefusal {
        InetAddress address = address(port);
        int service = service(port);
        require(world.isLocal(address), Errno.EADDRNOTAVAIL);
        require(!transport.equals("rdma") || world.doesRdma(address), Errno.ENODEV);
        for (FakeDirectory other : ports.directories.values()) {
            if (isEnabled(other) && other.is("addr_trtype", transport)) {
                boolean collides = service == service(other) && overlap(address, address(other));
                require(!collides, Errno.EADDRINUSE);
            }
        }
    }

    private static InetAddress address(FakeDirectory port) throws FakeRefusal {
        try {
            InetAddress address =
                    InetAddress.ofLiteral(port.attribute("addr_traddr").split("%", 2)[0]);
            require(port.is("addr_adrfam", address instanceof Inet6Address ? "ipv6" : "ipv4"), Errno.EINVAL);
            return address;
        } catch (IllegalArgumentException malformed) {
            throw new FakeRefusal(Errno.EINVAL);
        }
    }

    private static int service(FakeDirectory port) throws FakeRefusal {
        return (int) unsigned(port.attribute("addr_trsvcid"), 16);
    }

    /** The wildcard of IPv6 takes the addresses of IPv4 too. */
    private static boolean overlap(InetAddress one, InetAddress other) {
        return one.equals(other) || covers(one, other) || covers(other, one);
    }

    private static boolean covers(InetAddress wildcard, InetAddress address) {
        return wildcard.isAnyLocalAddress() && (wildcard instanceof Inet6Address || !(address instanceof Inet6Address));
    }

    /** Limits that were left to the transport have its choice from then on, also after the port is disabled. */
    private static void settleLimits(FakeDirectory port, String transport) throws FakeRefusal {
        boolean rdma = transport.equals("rdma");
        if (signed(port.attribute("param_inline_data_size")) < 0) {
            int chosen = rdma ? 4096 : transport.equals("tcp") ? 16384 : 0;
            port.attributes.put("param_inline_data_size", Integer.toString(chosen));
        }
        if (port.attributes.containsKey("param_max_queue_size")) {
            int size = signed(port.attribute("param_max_queue_size"));
            int most = rdma ? RDMA_QUEUE_SIZE_MAX : QUEUE_SIZE_MAX;
            int chosen = size < 0 ? (rdma ? RDMA_QUEUE_SIZE_DEFAULT : most) : Math.clamp(size, QUEUE_SIZE_MIN, most);
            port.attributes.put("param_max_queue_size", Integer.toString(chosen));
        }
    }

    private static boolean isEnabled(FakeDirectory port) {
        return port.kind == Kind.REFERRAL
                ? port.is("enable", "1")
                : !port.directories.get("subsystems").links.isEmpty();
    }

    // What may be read and stored.

    String show(FakeDirectory object, String name) throws FakeRefusal {
        require(!name.equals("revalidate_size"), Errno.EACCES);
        return object.attribute(name);
    }

    void store(FakeDirectory object, String name, String written) throws FakeRefusal {
        Optional<String> stored = switch (object.kind) {
            case ROOT -> Optional.of(storeDiscoveryNqn(written));
            case HOST -> Optional.of(storeHost(name, written));
            case SUBSYSTEM -> Optional.of(storeSubsystem(object, name, written));
            case NAMESPACE -> storeNamespace(object, name, written);
            case PASSTHRU -> Optional.of(storePassthru(name, written));
            case PORT, REFERRAL -> Optional.of(storePort(object, name, written));
            case ANA_GROUP -> Optional.of(oneOf(ANA_STATES, written));
            default -> throw new FakeRefusal(Errno.ENOENT);
        };
        stored.ifPresent(value -> object.attributes.put(name, value));
        if (name.equals("addr_trtype")) {
            object.attributes.computeIfPresent("addr_tsas", (_, _) -> securityOf(object.attribute(name)));
        }
    }

    private static String securityOf(String transport) {
        return switch (transport) {
            case "tcp" -> "none";
            case "rdma" -> "connected";
            default -> "";
        };
    }

    private String storeDiscoveryNqn(String written) throws FakeRefusal {
        String nqn = text(written, NQN_BYTES);
        require(!subsystems.directories.containsKey(nqn), Errno.EINVAL);
        return nqn;
    }

    private static String storeHost(String name, String written) throws FakeRefusal {
        return switch (name) {
            case "dhchap_hash" -> oneOf(Set.of("hmac(sha256)", "hmac(sha384)", "hmac(sha512)"), written);
            case "dhchap_dhgroup" ->
                oneOf(Set.of("null", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"), written);
            default -> {
                Matcher secret = SECRET.matcher(written);
                require(secret.matches() && Integer.parseInt(secret.group(1)) <= 3, Errno.EINVAL);
                yield written.strip();
            }
        };
    }

    private String storeSubsystem(FakeDirectory subsystem, String name, String written) throws FakeRefusal {
        return switch (name) {
            case "attr_allow_any_host" -> {
                boolean allow = bool(written);
                require(
                        !allow
                                || subsystem
                                        .directories
                                        .get("allowed_hosts")
                                        .links
                                        .isEmpty(),
                        Errno.EINVAL);
                yield digit(allow);
            }
            case "attr_cntlid_min" -> {
                int least = scanned(written);
                require(least > 0 && least <= signed(subsystem.attribute("attr_cntlid_max")), Errno.EINVAL);
                yield Integer.toString(least);
            }
            case "attr_cntlid_max" -> {
                int most = scanned(written);
                require(most > 0 && most >= signed(subsystem.attribute("attr_cntlid_min")), Errno.EINVAL);
                yield Integer.toString(most);
            }
            case "attr_qid_max" -> {
                int most = scanned(written);
                require(most >= 1 && most <= QUEUES_MAX, Errno.EINVAL);
                yield Integer.toString(most);
            }
            case "attr_pi_enable" -> digit(bool(written));
            default -> {
                require(!discovered.contains(subsystem), Errno.EINVAL);
                yield identity(name, written);
            }
        };
    }

    /** What is fixed once a host has seen it. */
    private static String identity(String name, String written) throws FakeRefusal {
        return switch (name) {
            // Shown as it is in Identify: filled up with spaces.
            case "attr_serial" -> String.format(Locale.ROOT, "%-" + SERIAL_BYTES + "s", ascii(written, SERIAL_BYTES));
            case "attr_model" -> ascii(written, MODEL_BYTES);
            case "attr_firmware" -> ascii(written, FIRMWARE_BYTES);
            case "attr_ieee_oui" -> {
                long oui = unsigned(written, 32);
                require(oui < 0x100_0000, Errno.EINVAL);
                yield String.format(Locale.ROOT, "0x%06x", oui);
            }
            case "attr_version" -> {
                Matcher version = VERSION.matcher(written);
                require(version.matches(), Errno.EINVAL);
                String tertiary = version.group(3);
                boolean shown = tertiary != null && !tertiary.equals("0");
                yield version.group(1) + "." + version.group(2) + (shown ? "." + tertiary : "");
            }
            default -> throw new FakeRefusal(Errno.ENOENT);
        };
    }

    private Optional<String> storeNamespace(FakeDirectory namespace, String name, String written) throws FakeRefusal {
        boolean enabled = namespace.is("enable", "1");
        return switch (name) {
            case "enable" -> {
                boolean enable = bool(written);
                if (enable && !enabled) {
                    openDevice(namespace);
                }
                yield Optional.of(digit(enable));
            }
            case "ana_grpid" -> {
                long group = unsigned(written, 32);
                require(group >= 1 && group <= ANA_GROUPS_MAX, Errno.EINVAL);
                yield Optional.of(Long.toString(group));
            }
            case "buffered_io" -> {
                boolean buffered = bool(written);
                require(!enabled, Errno.EINVAL);
                yield Optional.of(digit(buffered));
            }
            case "revalidate_size" -> {
                require(bool(written) && enabled, Errno.EINVAL);
                yield Optional.empty();
            }
            default -> {
                require(!enabled, Errno.EBUSY);
                yield Optional.of(
                        switch (name) {
                            case "device_path" -> text(written, Integer.MAX_VALUE);
                            case "device_uuid" -> uuid(written);
                            default -> nguid(written);
                        });
            }
        };
    }

    private void openDevice(FakeDirectory namespace) throws FakeRefusal {
        String path = namespace.attribute("device_path");
        require(!path.equals("(null)"), Errno.EINVAL);
        Optional<Errno> failure = world.open(path);
        if (failure.isPresent()) {
            throw new FakeRefusal(failure.get());
        }
    }

    private static String uuid(String written) throws FakeRefusal {
        require(written.length() >= 36, Errno.EINVAL);
        String uuid = written.substring(0, 36);
        require(UUID_TEXT.matcher(uuid).matches(), Errno.EINVAL);
        return uuid.toLowerCase(Locale.ROOT);
    }

    private static String nguid(String written) throws FakeRefusal {
        require(NGUID.matcher(written).matches(), Errno.EINVAL);
        String digits = written.replaceAll("[-:\\n]", "").substring(0, 32).toLowerCase(Locale.ROOT);
        return String.join(
                "-",
                digits.substring(0, 8),
                digits.substring(8, 12),
                digits.substring(12, 16),
                digits.substring(16, 20),
                digits.substring(20));
    }

    private static String storePassthru(String name, String written) throws FakeRefusal {
        return switch (name) {
            case "device_path" -> text(written, Integer.MAX_VALUE);
            case "enable" -> {
                // There is no controller to pass through to.
                require(!bool(written), Errno.EINVAL);
                yield "0";
            }
            default -> Long.toString(unsigned(written, 32));
        };
    }

    private static String storePort(FakeDirectory port, String name, String written) throws FakeRefusal {
        if (port.kind == Kind.REFERRAL && name.equals("enable")) {
            return digit(bool(written));
        }
        require(!isEnabled(port), Errno.EACCES);
        return switch (name) {
            case "addr_adrfam" -> oneOf(Set.of("ipv4", "ipv6", "ib", "fc", "loop"), written);
            case "addr_traddr" -> word(written, TRADDR_BYTES);
            case "addr_treq" -> oneOf(Set.of("not specified", "required", "not required"), written);
            case "addr_trsvcid" -> word(written, TRSVCID_BYTES);
            case "addr_trtype" -> oneOf(Set.of("rdma", "fc", "tcp", "loop"), written);
            // TLS needs a keyring, which the fake world has not.
            case "addr_tsas" -> oneOf(Set.of(port.attribute("addr_tsas")), written);
            case "addr_portid" -> Long.toString(unsigned(written, 16));
            case "param_pi_enable" -> digit(bool(written));
            default -> Integer.toString(signed(written));
        };
    }

    // How the kernel reads values. One end of line is accepted after most.

    private static String oneOf(Set<String> names, String written) throws FakeRefusal {
        String name = withoutNewline(written);
        require(names.contains(name), Errno.EINVAL);
        return name;
    }

    /** Up to the end of the line. */
    private static String text(String written, int bytesMax) throws FakeRefusal {
        String line = written.split("\n", 2)[0];
        require(!line.isEmpty() && line.length() <= bytesMax, Errno.EINVAL);
        return line;
    }

    private static String ascii(String written, int bytesMax) throws FakeRefusal {
        String line = text(written, bytesMax);
        require(line.chars().allMatch(c -> c >= 0x20 && c <= 0x7e), Errno.EINVAL);
        return line;
    }

    /** Up to the first space. */
    private static String word(String written, int bytesMax) throws FakeRefusal {
        require(written.length() <= bytesMax && !written.isBlank(), Errno.EINVAL);
        return written.strip().split("\\s", 2)[0];
    }

    /** Only the first character counts, and the second of "on" and "off". */
    private static boolean bool(String written) throws FakeRefusal {
        String text = written.toLowerCase(Locale.ROOT);
        if (text.startsWith("1") || text.startsWith("y") || text.startsWith("t") || text.startsWith("on")) {
            return true;
        }
        if (text.startsWith("0") || text.startsWith("n") || text.startsWith("f") || text.startsWith("of")) {
            return false;
        }
        throw new FakeRefusal(Errno.EINVAL);
    }

    private static String digit(boolean value) {
        return value ? "1" : "0";
    }

    /** A number in C's notation, so that a leading zero means octal. */
    private static long unsigned(String written, int bits) throws FakeRefusal {
        long value = number(written);
        require(value >= 0, Errno.EINVAL);
        if (value >>> bits != 0) {
            throw new FakeRefusal("Numerical result out of range");
        }
        return value;
    }

    private static int signed(String written) throws FakeRefusal {
        long value = number(written);
        require(value == (int) value, Errno.EINVAL);
        return (int) value;
    }

    private static long number(String written) throws FakeRefusal {
        try {
            return Long.decode(withoutNewline(written));
        } catch (NumberFormatException malformed) {
            throw new FakeRefusal(Errno.EINVAL);
        }
    }

    /** Leading decimal digits, cut to 16 bits without a word. */
    private static int scanned(String written) throws FakeRefusal {
        Matcher digits = Pattern.compile("\\s*(\\d{1,18}).*", Pattern.DOTALL).matcher(written);
        require(digits.matches(), Errno.EINVAL);
        return (int) Long.parseLong(digits.group(1)) & 0xffff;
    }

    private static String withoutNewline(String written) {
        return written.endsWith("\n") ? written.substring(0, written.length() - 1) : written;
    }

    private static void require(boolean allowed, Errno refusal) throws FakeRefusal {
        if (!allowed) {
            throw new FakeRefusal(refusal);
        }
    }
}
