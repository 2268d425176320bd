package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.DesiredHost;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.core.HostId;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Fingerprints;
import io.fairlead.worker.engine.ObservedTarget.ObservedHost;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import io.fairlead.worker.engine.nvmet.Ownership.HostEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Hosts and their keys. A key may change while its host is connected; the kernel asks for the new one at the next authentication. */
final class NvmetHosts {

    private static final List<String> ATTRIBUTES =
            List.of("dhchap_hash", "dhchap_dhgroup", "dhchap_key", "dhchap_ctrl_key");

    private final Tree tree;
    private final Ownership ownership;

    NvmetHosts(Tree tree, Ownership ownership) {
        this.tree = tree;
        this.ownership = ownership;
    }

    Map<HostId, ObservedHost> observe() throws ConfigFsException {
        Map<HostId, ObservedHost> observed = new HashMap<>();
        for (HostEntry entry : ownership.hosts().values()) {
            if (tree.has(Tree.host(entry.nqn()))) {
                boolean asWritten = entry.written().equals(summary(entry.nqn()));
                String fingerprint = asWritten ? entry.fingerprint() : "changed by hand";
                observed.put(entry.id(), new ObservedHost(entry.id(), entry.nqn(), fingerprint));
            }
        }
        return observed;
    }

    Optional<String> nqn(HostId id) {
        return Optional.ofNullable(ownership.hosts().get(id))
                .map(HostEntry::nqn)
                .filter(nqn -> tree.has(Tree.host(nqn)));
    }

    /** The id of an allowed host: its own, or for one that is not Fairlead's one that follows from its name. */
    HostId idOf(String nqn) {
        return ownership.hosts().values().stream()
                .filter(entry -> entry.nqn().equals(nqn))
                .map(HostEntry::id)
                .findFirst()
                .orElseGet(() -> strangerId(nqn));
    }

    static HostId strangerId(String nqn) {
        return new HostId(UUID.nameUUIDFromBytes(("nvmet host " + nqn).getBytes(StandardCharsets.UTF_8)));
    }

    void put(HostSpec host, KernelFeatures features) throws EngineFault {
        String nqn = Tree.nameable(host.nqn());
        if (host.authentication().isPresent() && !features.authentication()) {
            // Without its key the host would be let in unasked.
            throw EngineFault.broken(
                    "host.authentication_unavailable",
                    "The target of this kernel has no DH-HMAC-CHAP, so " + nqn
                            + " is not let in at all. Use a kernel built with CONFIG_NVME_TARGET_AUTH, or the embedded engine.",
                    null);
        }
        HostEntry known = ownership.hosts().get(host.id());
        if (known != null && !known.nqn().equals(nqn)) {
            remove(host.id());
            known = null;
        }
        try {
            boolean isThere = tree.has(Tree.host(nqn));
            if (known == null && isThere && !attributes(host, features).equals(present(nqn))) {
                throw EngineFault.broken(
                        "host.nqn_taken",
                        "A host " + nqn
                                + " with other keys is in the kernel's target and was not made by Fairlead. Remove it there.",
                        null);
            }
            if (known == null) {
                ownership.change(record -> record.put(new HostEntry(host.id(), nqn, "", "")));
            }
            write(host, nqn, isThere, features);
        } catch (ConfigFsException e) {
            throw Refused.HOST.explain("host " + nqn, e);
        }
    }

    private void write(HostSpec host, String nqn, boolean isThere, KernelFeatures features)
            throws ConfigFsException, EngineFault {
        try {
            tree.make(Tree.host(nqn));
            for (Map.Entry<String, String> attribute :
                    attributes(host, features).entrySet()) {
                String path = Tree.host(nqn) + "/" + attribute.getKey();
                if (!tree.value(path).equals(attribute.getValue())) {
                    // An empty line takes a key away.
                    tree.fs().write(path, attribute.getValue().isEmpty() ? "\n" : attribute.getValue());
                }
            }
        } catch (ConfigFsException e) {
            if (!isThere) {
                remove(host.id());
            }
            throw e;
        }
        if (!present(nqn).equals(attributes(host, features))) {
            throw EngineFault.broken(
                    "host.key_not_kept",
                    "The kernel did not keep the keys of " + nqn + " as they were written. They are written again.",
                    null);
        }
        HostEntry entry = new HostEntry(host.id(), nqn, Fingerprints.of(host), summary(nqn));
        ownership.change(record -> record.put(entry));
    }

    void remove(HostId id) throws EngineFault {
        HostEntry entry = ownership.hosts().get(id);
        if (entry == null) {
            return;
        }
        try {
            tree.remove(Tree.host(entry.nqn()));
        } catch (ConfigFsException e) {
            throw Refused.HOST.explain("host " + entry.nqn(), e);
        }
        ownership.change(record -> record.remove(id));
    }

    private static Map<String, String> attributes(HostSpec host, KernelFeatures features) {
        Map<String, String> attributes = new LinkedHashMap<>();
        if (!features.authentication()) {
            return attributes;
        }
        Optional<DesiredHost.Authentication> wanted = host.authentication();
        attributes.put("dhchap_hash", wanted.map(auth -> hash(auth.hash())).orElse("hmac(sha256)"));
        attributes.put(
                "dhchap_dhgroup", wanted.map(auth -> group(auth.dhGroup())).orElse("null"));
        attributes.put(
                "dhchap_key", wanted.map(auth -> auth.hostSecret().reveal()).orElse(""));
        attributes.put(
                "dhchap_ctrl_key",
                wanted.flatMap(DesiredHost.Authentication::controllerSecret)
                        .map(DhchapSecret::reveal)
                        .orElse(""));
        return attributes;
    }

    private Map<String, String> present(String nqn) throws ConfigFsException {
        Map<String, String> present = new LinkedHashMap<>();
        for (String attribute : ATTRIBUTES) {
            if (tree.fs().isAttribute(Tree.host(nqn) + "/" + attribute)) {
                present.put(attribute, tree.value(Tree.host(nqn) + "/" + attribute));
            }
        }
        return present;
    }

    private String summary(String nqn) throws ConfigFsException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            present(nqn)
                    .forEach((name, value) ->
                            digest.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    private static String hash(AuthHash hash) {
        return switch (hash) {
            case SHA_256 -> "hmac(sha256)";
            case SHA_384 -> "hmac(sha384)";
            case SHA_512 -> "hmac(sha512)";
        };
    }

    private static String group(AuthDhGroup group) {
        return switch (group) {
            case NULL -> "null";
            case FFDHE_2048 -> "ffdhe2048";
            case FFDHE_3072 -> "ffdhe3072";
            case FFDHE_4096 -> "ffdhe4096";
            case FFDHE_6144 -> "ffdhe6144";
            case FFDHE_8192 -> "ffdhe8192";
        };
    }
}
