package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredSubsystem.Access;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.SubsystemId;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.nvmet.Ownership.SubsystemEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Subsystems and whom they let in. A subsystem that Fairlead made is Fairlead's with all its links. */
final class NvmetSubsystems {

    private final Tree tree;
    private final Ownership ownership;
    private final NvmetHosts hosts;
    private final NvmetNamespaces namespaces;
    private final NvmetPorts ports;
    private final KernelLog log;

    NvmetSubsystems(
            Tree tree,
            Ownership ownership,
            NvmetHosts hosts,
            NvmetNamespaces namespaces,
            NvmetPorts ports,
            KernelLog log) {
        this.tree = tree;
        this.ownership = ownership;
        this.hosts = hosts;
        this.namespaces = namespaces;
        this.ports = ports;
        this.log = log;
    }

    Map<SubsystemId, ObservedSubsystem> observe() throws ConfigFsException {
        Map<String, Set<ListenerId>> links = ports.links();
        Map<SubsystemId, ObservedSubsystem> observed = new HashMap<>();
        for (SubsystemEntry entry : ownership.subsystems().values()) {
            String path = Tree.subsystem(entry.nqn());
            if (!tree.has(path)) {
                continue;
            }
            Set<HostId> allowed = new HashSet<>();
            for (String nqn : tree.names(Tree.allowedHosts(entry.nqn()))) {
                allowed.add(hosts.idOf(nqn));
            }
            observed.put(
                    entry.id(),
                    new ObservedSubsystem(
                            entry.id(),
                            entry.nqn(),
                            serial(path),
                            tree.value(path + "/attr_model"),
                            isOpen(entry.nqn()) ? Access.ANY_HOST : Access.LISTED_HOSTS,
                            namespaces.observe(entry),
                            allowed,
                            links.getOrDefault(entry.nqn(), Set.of())));
        }
        return observed;
    }

    /** The kernel pads it to 20 characters, as hosts see it. */
    private String serial(String path) throws ConfigFsException {
        return tree.value(path + "/attr_serial").stripTrailing();
    }

    private boolean isOpen(String nqn) throws ConfigFsException {
        return tree.value(Tree.subsystem(nqn) + "/attr_allow_any_host").equals("1");
    }

    Optional<String> nqn(SubsystemId id) {
        return Optional.ofNullable(ownership.subsystems().get(id))
                .map(SubsystemEntry::nqn)
                .filter(nqn -> tree.has(Tree.subsystem(nqn)));
    }

    String require(SubsystemId id, String nqn) throws EngineFault {
        return nqn(id).orElseThrow(() ->
                EngineFault.broken("subsystem.absent", "Subsystem " + nqn + " is not in the kernel's target.", null));
    }

    void put(SubsystemSpec subsystem, CntlidWindow cntlids) throws EngineFault {
        String nqn = Tree.nameable(subsystem.nqn());
        SubsystemEntry known = ownership.subsystems().get(subsystem.id());
        if (known != null && !known.nqn().equals(nqn)) {
            remove(subsystem.id());
            known = null;
        }
        try {
            boolean isThere = tree.has(Tree.subsystem(nqn));
            if (known == null && isThere && !isExactly(subsystem)) {
                throw EngineFault.broken(
                        "subsystem.nqn_taken",
                        "A subsystem " + nqn
                                + " with another serial or model is in the kernel's target and was not made by Fairlead."
                                + " Remove it there, or choose another NQN.",
                        null);
            }
            if (known == null) {
                ownership.change(record -> record.put(new SubsystemEntry(subsystem.id(), nqn)));
            }
            try {
                tree.make(Tree.subsystem(nqn));
                write(subsystem, cntlids);
            } catch (ConfigFsException e) {
                if (!isThere) {
                    remove(subsystem.id());
                }
                throw e;
            }
        } catch (ConfigFsException e) {
            throw Refused.SUBSYSTEM.explain("subsystem " + nqn, e);
        }
    }

    private boolean isExactly(SubsystemSpec subsystem) throws ConfigFsException {
        String path = Tree.subsystem(subsystem.nqn());
        return !ownership.ownsSubsystem(subsystem.nqn())
                && serial(path).equals(subsystem.serial())
                && tree.value(path + "/attr_model").equals(subsystem.model());
    }

    private void write(SubsystemSpec subsystem, CntlidWindow cntlids) throws ConfigFsException {
        String path = Tree.subsystem(subsystem.nqn());
        if (!serial(path).equals(subsystem.serial())) {
            tree.fs().write(path + "/attr_serial", subsystem.serial());
        }
        tree.set(path + "/attr_model", subsystem.model());
        writeCntlids(path, cntlids);
        if (tree.fs().isAttribute(path + "/attr_pi_enable")) {
            tree.set(path + "/attr_pi_enable", "0");
        }
        if (subsystem.access() == Access.ANY_HOST) {
            // The kernel has either a list or an open door (EINVAL).
            for (String host : tree.names(Tree.allowedHosts(subsystem.nqn()))) {
                tree.unlink(Tree.allowedHosts(subsystem.nqn()) + "/" + host);
            }
        }
        tree.set(path + "/attr_allow_any_host", subsystem.access() == Access.ANY_HOST ? "1" : "0");
    }

    /** The kernel refuses a lower end above the upper one at each single write (EINVAL). */
    private void writeCntlids(String path, CntlidWindow cntlids) throws ConfigFsException {
        String upper = tree.value(path + "/attr_cntlid_max");
        if (upper.isEmpty()) {
            return;
        }
        boolean lowerFirst = cntlids.first() <= Integer.parseInt(upper);
        if (lowerFirst) {
            tree.set(path + "/attr_cntlid_min", Integer.toString(cntlids.first()));
        }
        tree.set(path + "/attr_cntlid_max", Integer.toString(cntlids.last()));
        tree.set(path + "/attr_cntlid_min", Integer.toString(cntlids.first()));
    }

    void remove(SubsystemId id) throws EngineFault {
        SubsystemEntry entry = ownership.subsystems().get(id);
        if (entry == null) {
            return;
        }
        String nqn = entry.nqn();
        try {
            if (tree.has(Tree.subsystem(nqn))) {
                ports.unlinkEverywhere(nqn);
                for (String host : tree.names(Tree.allowedHosts(nqn))) {
                    tree.unlink(Tree.allowedHosts(nqn) + "/" + host);
                }
                for (Ownership.NamespaceEntry namespace : ownership.namespacesOf(id)) {
                    namespaces.remove(namespace.id());
                }
                tree.remove(Tree.subsystem(nqn));
            }
        } catch (ConfigFsException e) {
            throw Refused.SUBSYSTEM.explain("subsystem " + nqn, e);
        }
        ownership.change(record -> {
            ownership.namespacesOf(id).forEach(namespace -> record.remove(namespace.id()));
            record.remove(id);
        });
    }

    void allow(SubsystemId id, String nqn, HostId host) throws EngineFault {
        String subsystem = require(id, nqn);
        String hostNqn = hosts.nqn(host)
                .orElseThrow(() ->
                        EngineFault.broken("host.absent", "Host " + host + " is not in the kernel's target.", null));
        try {
            tree.link(Tree.host(hostNqn), Tree.allowedHosts(subsystem) + "/" + hostNqn);
        } catch (ConfigFsException e) {
            throw Refused.SUBSYSTEM.explain("subsystem " + nqn, e);
        }
    }

    /**
     * Takes the link away, and ends what the host has connected. The kernel leaves associations of a host that is no longer allowed as
     * they are and has no way to end one host's alone: where this one ever came, the subsystem is taken off its ports and put back, and
     * its other hosts connect again.
     */
    void disallow(SubsystemId id, HostId host) throws EngineFault {
        Optional<String> subsystem = nqn(id);
        if (subsystem.isEmpty()) {
            return;
        }
        String nqn = subsystem.get();
        try {
            for (String hostNqn : tree.names(Tree.allowedHosts(nqn))) {
                if (hosts.idOf(hostNqn).equals(host)) {
                    tree.unlink(Tree.allowedHosts(nqn) + "/" + hostNqn);
                    if (log.hasConnected(nqn, hostNqn)) {
                        ports.relink(nqn);
                        log.forget(nqn);
                    }
                }
            }
        } catch (ConfigFsException e) {
            throw Refused.SUBSYSTEM.explain("subsystem " + nqn, e);
        }
    }

    /** Whether Fairlead made what is at the NSID. */
    boolean ownsNamespace(String nqn, String nsid) {
        return ownership.subsystems().values().stream()
                .filter(entry -> entry.nqn().equals(nqn))
                .flatMap(entry -> ownership.namespacesOf(entry.id()).stream())
                .map(Ownership.NamespaceEntry::nsid)
                .anyMatch(owned -> Long.toString(owned).equals(nsid));
    }
}
