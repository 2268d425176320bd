package io.fairlead.management.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.Transport;
import io.fairlead.core.HostId;
import io.fairlead.management.host.HostAuthentication;
import io.fairlead.management.host.HostService;
import io.fairlead.management.host.HostState;
import io.fairlead.management.host.HostView;
import io.fairlead.nvme.spec.Nqn;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes connect bundles. */
@Singleton
class ConnectBundles {

    /** How long a host tries to reconnect before it gives a lost path up; for ever would leave dead controllers behind. */
    private static final int CTRL_LOSS_SECONDS = 600;

    private static final String SECRET = "FAIRLEAD_HOST_SECRET";
    private static final String CONTROLLER_SECRET = "FAIRLEAD_CONTROLLER_SECRET";
    private static final String PLACEHOLDER = "REPLACE-WITH-";

    private final HostService hosts;
    private final ExportRepository exports;
    private final ExportViews views;

    @Inject
    ConnectBundles(HostService hosts, ExportRepository exports, ExportViews views) {
        this.hosts = hosts;
        this.exports = exports;
        this.views = views;
    }

    @Transactional
    ConnectBundleView of(HostId id) {
        HostView host = hosts.get(id);
        List<ExportView> all = views.of(exports.ofHost(id));
        List<ConnectBundleView.Connection> connections = all.stream()
                .flatMap(export -> export.listeners().stream()
                        .filter(listener -> listener.trsvcid() != 0)
                        .map(listener -> connection(host, export.subsystemNqn(), listener)))
                .toList();
        List<ExportView.ServedListener> portals = all.stream()
                .flatMap(export -> export.listeners().stream())
                .filter(listener -> listener.trsvcid() != 0)
                .collect(Collectors.toMap(
                        ExportView.ServedListener::id,
                        listener -> listener,
                        (first, second) -> first,
                        java.util.LinkedHashMap::new))
                .values()
                .stream()
                .toList();
        return new ConnectBundleView(
                host.id(),
                host.nqn(),
                host.hostIdentifier(),
                List.of(
                        new ConnectBundleView.HostFile("/etc/nvme/hostnqn", host.nqn() + "\n"),
                        new ConnectBundleView.HostFile("/etc/nvme/hostid", host.hostIdentifier() + "\n")),
                prepare(host, connections),
                connections,
                portals.stream()
                        .map(portal -> "nvme discover " + address(portal) + identity(host))
                        .toList(),
                portals.stream()
                        .map(portal -> "--transport=" + name(portal) + " --traddr=" + portal.traddr() + " --trsvcid="
                                + portal.trsvcid() + " --hostnqn=" + host.nqn() + " --hostid=" + host.hostIdentifier()
                                + " --ctrl-loss-tmo=" + CTRL_LOSS_SECONDS + "\n")
                        .collect(Collectors.joining()),
                configJson(host, all),
                undo(all),
                warnings(host, all),
                knownErrors());
    }

    private static List<String> prepare(HostView host, List<ConnectBundleView.Connection> connections) {
        List<String> commands = connections.stream()
                .map(connection -> "modprobe nvme-" + name(connection.transport()))
                .distinct()
                .sorted()
                .collect(Collectors.toCollection(ArrayList::new));
        authentication(host).ifPresent(policy -> {
            commands.add("read -rs " + SECRET + " # the secret that was shown when the key was made");
            if (policy.bidirectional()) {
                commands.add("read -rs " + CONTROLLER_SECRET + " # the controller secret that was shown with it");
            }
        });
        return commands;
    }

    private static Optional<HostAuthentication> authentication(HostView host) {
        return Optional.ofNullable(host.authentication());
    }

    private static ConnectBundleView.Connection connection(
            HostView host, String subsystemNqn, ExportView.ServedListener listener) {
        StringBuilder command = new StringBuilder("nvme connect ")
                .append(address(listener))
                .append(" --nqn=")
                .append(quoted(subsystemNqn))
                .append(identity(host))
                .append(" --ctrl-loss-tmo=")
                .append(CTRL_LOSS_SECONDS);
        authentication(host).ifPresent(policy -> {
            command.append(" --dhchap-secret=\"$").append(SECRET).append('"');
            if (policy.bidirectional()) {
                command.append(" --dhchap-ctrl-secret=\"$")
                        .append(CONTROLLER_SECRET)
                        .append('"');
            }
        });
        return new ConnectBundleView.Connection(
                subsystemNqn, listener.transport(), listener.traddr(), listener.trsvcid(), command.toString());
    }

    private static String address(ExportView.ServedListener listener) {
        return "--transport=" + name(listener) + " --traddr=" + quoted(listener.traddr()) + " --trsvcid="
                + listener.trsvcid();
    }

    private static String identity(HostView host) {
        return " --hostnqn=" + quoted(host.nqn()) + " --hostid=" + host.hostIdentifier();
    }

    private static String name(ExportView.ServedListener listener) {
        return name(listener.transport());
    }

    private static String name(Transport transport) {
        return transport.name().toLowerCase(Locale.ROOT);
    }

    /** One word for a POSIX shell, whatever is in it: an NQN may hold any character that is not a space. */
    static String quoted(String text) {
        return text.matches("[A-Za-z0-9.:%_/-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    private static String configJson(HostView host, List<ExportView> all) {
        ArrayNode root = ContractJson.mapper().createArrayNode();
        ObjectNode entry = root.addObject();
        entry.put("hostnqn", host.nqn()).put("hostid", host.hostIdentifier().toString());
        authentication(host).ifPresent(policy -> entry.put("dhchap_key", PLACEHOLDER + "THE-HOST-SECRET"));
        ArrayNode subsystems = entry.putArray("subsystems");
        for (ExportView export : all) {
            ObjectNode subsystem = subsystems.addObject();
            subsystem.put("nqn", export.subsystemNqn());
            ArrayNode ports = subsystem.putArray("ports");
            for (ExportView.ServedListener listener : export.listeners()) {
                if (listener.trsvcid() != 0) {
                    ObjectNode port = ports.addObject();
                    port.put("transport", name(listener))
                            .put("traddr", listener.traddr())
                            .put("trsvcid", Integer.toString(listener.trsvcid()))
                            .put("ctrl_loss_tmo", CTRL_LOSS_SECONDS);
                    authentication(host)
                            .filter(HostAuthentication::bidirectional)
                            .ifPresent(policy -> port.put("dhchap_ctrl_key", PLACEHOLDER + "THE-CONTROLLER-SECRET"));
                }
            }
        }
        try {
            return ContractJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of texts that cannot be written", e);
        }
    }

    private static String undo(List<ExportView> all) {
        return all.stream()
                .map(export -> "nvme disconnect --nqn=" + quoted(export.subsystemNqn()) + "\n")
                .collect(Collectors.joining("", "#!/bin/sh\n# Unmount what is on these namespaces first.\n", ""));
    }

    private static List<String> warnings(HostView host, List<ExportView> all) {
        List<String> warnings = new ArrayList<>();
        Nqn.flaw(host.nqn()).ifPresent(flaw -> warnings.add("The host's NQN is not an NQN: " + flaw));
        if (host.state() == HostState.KEY_UNAVAILABLE) {
            warnings.add("A key of this host cannot be opened with the master key at hand, so the host is shut out.");
        }
        if (host.authentication() == null) {
            warnings.add("This host connects without authentication: whoever claims its NQN is let in.");
        }
        if (all.isEmpty()) {
            warnings.add("No export lets this host in yet, so there is nothing to connect to.");
        }
        for (ExportView export : all) {
            if (export.state() != ObjectState.READY) {
                warnings.add("The export '" + export.name() + "' is " + export.state() + ": "
                        + export.reason().text());
            }
            for (ExportView.ServedListener listener : export.listeners()) {
                if (listener.trsvcid() == 0) {
                    warnings.add("The port of the listener on " + listener.traddr()
                            + " is not known yet: its head chooses one. Ask again when the job has ended.");
                }
            }
            if (export.subsystem().namespaces().isEmpty()) {
                warnings.add("The export '" + export.name() + "' has no namespace: a host connects and sees nothing.");
            }
        }
        return warnings;
    }

    private static List<ConnectBundleView.KnownError> knownErrors() {
        return Map.of(
                        "found same hostid ... but different hostnqn",
                        List.of(
                                "\"Invalid argument\": this machine is connected with the same host identifier under another NQN.",
                                "Use the --hostnqn and --hostid of this bundle together on every connection, and disconnect the others."),
                        "found same hostnqn ... but different hostid",
                        List.of(
                                "\"Invalid argument\": this machine is connected with this NQN under another host identifier.",
                                "Put the two values of this bundle into /etc/nvme/hostnqn and /etc/nvme/hostid, and disconnect the others."),
                        "qid 0: authentication failed",
                        List.of(
                                "The secret is not the one that the appliance has for this NQN.",
                                "GET /api/v1/hosts/{id}/authentication-failures says which check failed; make new keys if the secret is lost."),
                        "opcode 0x7f (Fabrics Cmd) QID 0 timeout",
                        List.of(
                                "Over RDMA: the appliance refused the secret and hung up, and this machine's kernel repeats its question for some minutes.",
                                "It ends by itself with \"authentication failed\". Meanwhile see GET /api/v1/hosts/{id}/authentication-failures."),
                        "qid 0: no key",
                        List.of(
                                "The appliance asks for authentication and the command had no secret.",
                                "Give --dhchap-secret."))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new ConnectBundleView.KnownError(
                        entry.getKey(),
                        entry.getValue().getFirst(),
                        entry.getValue().getLast()))
                .toList();
    }
}
