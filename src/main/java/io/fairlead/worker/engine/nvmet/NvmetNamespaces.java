package io.fairlead.worker.engine.nvmet;

import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.nvmet.Ownership.NamespaceEntry;
import io.fairlead.worker.engine.nvmet.Ownership.SubsystemEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Namespaces. The kernel takes every attribute before {@code enable} and none after it (EBUSY), and it holds the device that it opened
 * then: a drive that was pulled stays an enabled namespace that fails. So a namespace whose path leads to another device by now is
 * observed with another device's identity, and is made anew.
 */
final class NvmetNamespaces {

    private final Tree tree;
    private final Ownership ownership;
    private final Machine machine;

    NvmetNamespaces(Tree tree, Ownership ownership, Machine machine) {
        this.tree = tree;
        this.ownership = ownership;
        this.machine = machine;
    }

    Map<NamespaceId, ObservedNamespace> observe(SubsystemEntry subsystem) throws ConfigFsException {
        Map<NamespaceId, ObservedNamespace> observed = new HashMap<>();
        for (NamespaceEntry entry : ownership.namespacesOf(subsystem.id())) {
            String path = Tree.namespace(subsystem.nqn(), entry.nsid());
            if (tree.has(path) && tree.value(path + "/enable").equals("1")) {
                observed.put(
                        entry.id(),
                        new ObservedNamespace(
                                entry.id(),
                                entry.nsid(),
                                UUID.fromString(tree.value(path + "/device_uuid")),
                                nguid(path),
                                entry.eui64(),
                                entry.sizeBytes(),
                                entry.lbaBytes(),
                                Long.parseLong(tree.value(path + "/ana_grpid")),
                                isSameDevice(entry, path) ? entry.deviceIdentity() : "another device"));
            }
        }
        return observed;
    }

    private boolean isSameDevice(NamespaceEntry entry, String path) throws ConfigFsException {
        String device = tree.value(path + "/device_path");
        try {
            return device.equals(entry.device())
                    && machine.inspect(Path.of(device)).instance().equals(entry.instance());
        } catch (IOException e) {
            // It was taken away under the kernel.
            return false;
        }
    }

    private String nguid(String path) throws ConfigFsException {
        return tree.value(path + "/device_nguid").replace("-", "").toLowerCase(Locale.ROOT);
    }

    void add(SubsystemId subsystem, String nqn, NamespaceSpec namespace) throws EngineFault {
        String what = "namespace " + namespace.nsid() + " of " + nqn;
        String path = Tree.namespace(nqn, namespace.nsid());
        try {
            requireFree(subsystem, nqn, namespace);
            NamespaceEntry known = ownership.namespaces().get(namespace.id());
            boolean isServed = tree.value(path + "/enable").equals("1") && isAsWanted(path, namespace);
            if (isServed && known != null && isSameDevice(known, path)) {
                return;
            }
            Device device = inspect(namespace, what);
            NamespaceEntry entry = entry(subsystem, namespace, device);
            ownership.change(record -> record.put(entry));
            if (isServed && known == null) {
                // The record was lost, and what is served is exactly what shall be: it is taken over and its hosts
                // notice nothing.
                return;
            }
            try {
                tree.make(path);
                write(path, namespace, device);
            } catch (ConfigFsException e) {
                remove(namespace.id());
                throw e;
            }
        } catch (ConfigFsException e) {
            throw Refused.NAMESPACE.explain(what, e);
        }
    }

    /** One NSID is one namespace; what is there must be this one, or be exactly what this one shall be. */
    private void requireFree(SubsystemId subsystem, String nqn, NamespaceSpec namespace)
            throws ConfigFsException, EngineFault {
        String path = Tree.namespace(nqn, namespace.nsid());
        for (NamespaceEntry other : ownership.namespacesOf(subsystem)) {
            if (other.nsid() == namespace.nsid() && !other.id().equals(namespace.id()) && tree.has(path)) {
                throw EngineFault.broken(
                        "namespace.nsid_taken",
                        "Namespace " + other.id() + " has NSID " + namespace.nsid() + " of " + nqn + ".",
                        null);
            }
        }
        boolean isOurs = ownership.namespaces().containsKey(namespace.id());
        if (!isOurs && tree.has(path) && !isAsWanted(path, namespace)) {
            throw EngineFault.broken(
                    "namespace.nsid_taken",
                    "A namespace that Fairlead did not make has NSID " + namespace.nsid() + " of " + nqn
                            + ". Remove it from the kernel's target, or choose another NSID.",
                    null);
        }
    }

    private boolean isAsWanted(String path, NamespaceSpec namespace) throws ConfigFsException {
        return tree.value(path + "/device_path").equals(namespace.device().toString())
                && tree.value(path + "/device_uuid").equals(namespace.uuid().toString())
                && nguid(path).equals(namespace.nguid())
                && tree.value(path + "/ana_grpid").equals(Long.toString(namespace.anaGroup()));
    }

    private Device inspect(NamespaceSpec namespace, String what) throws EngineFault {
        Device device;
        try {
            device = machine.inspect(namespace.device());
        } catch (IOException e) {
            throw EngineFault.notYet(
                    "namespace.device_absent", "The device of " + what + " is not there. It is taken once it is.", e);
        }
        if (device.sizeBytes() < namespace.sizeBytes()) {
            throw EngineFault.broken(
                    "namespace.device_too_small",
                    "The device of " + what + " has " + device.sizeBytes() + " bytes; the namespace is "
                            + namespace.sizeBytes() + ".",
                    null);
        }
        if (device.lbaBytes() != namespace.lbaBytes()) {
            throw EngineFault.broken(
                    "namespace.lba_size_unavailable",
                    "The kernel's target serves the device of " + what + " in blocks of " + device.lbaBytes()
                            + " bytes, not of "
                            + namespace.lbaBytes() + ". Give the volume blocks of " + device.lbaBytes()
                            + " bytes, or use the embedded engine.",
                    null);
        }
        return device;
    }

    private static NamespaceEntry entry(SubsystemId subsystem, NamespaceSpec namespace, Device device) {
        return new NamespaceEntry(
                namespace.id(),
                subsystem,
                namespace.nsid(),
                namespace.device().toString(),
                namespace.deviceIdentity(),
                device.instance(),
                device.sizeBytes(),
                namespace.lbaBytes(),
                namespace.eui64());
    }

    private void write(String path, NamespaceSpec namespace, Device device) throws ConfigFsException {
        if (tree.value(path + "/enable").equals("1")) {
            tree.fs().write(path + "/enable", "0");
        }
        tree.set(path + "/device_path", namespace.device().toString());
        tree.set(path + "/device_uuid", namespace.uuid().toString());
        if (!nguid(path).equals(namespace.nguid())) {
            tree.fs().write(path + "/device_nguid", namespace.nguid());
        }
        tree.set(path + "/ana_grpid", Long.toString(namespace.anaGroup()));
        if (tree.fs().isAttribute(path + "/buffered_io")) {
            tree.set(path + "/buffered_io", device.needsPageCache() ? "1" : "0");
        }
        tree.fs().write(path + "/enable", "1");
    }

    /** Has the kernel look at the device again; it tells the hosts when the size is another one. */
    void resize(NamespaceId id, String nqn, long nsid, long sizeBytes, KernelFeatures features) throws EngineFault {
        NamespaceEntry entry = ownership.namespaces().get(id);
        String what = "namespace " + nsid + " of " + nqn;
        String path = Tree.namespace(nqn, nsid);
        try {
            if (entry == null || !tree.has(path)) {
                throw EngineFault.notYet("namespace.absent", "There is no " + what + " yet.", null);
            }
            Device device = machine.inspect(Path.of(entry.device()));
            if (device.sizeBytes() < sizeBytes) {
                throw EngineFault.notYet(
                        "namespace.device_too_small",
                        "The device of " + what + " has " + device.sizeBytes() + " bytes, not yet " + sizeBytes + ".",
                        null);
            }
            if (features.resize()) {
                tree.fs().write(path + "/revalidate_size", "1");
            }
            NamespaceEntry grown = new NamespaceEntry(
                    entry.id(),
                    entry.subsystem(),
                    entry.nsid(),
                    entry.device(),
                    entry.deviceIdentity(),
                    entry.instance(),
                    device.sizeBytes(),
                    entry.lbaBytes(),
                    entry.eui64());
            ownership.change(record -> record.put(grown));
        } catch (ConfigFsException e) {
            throw Refused.NAMESPACE.explain(what, e);
        } catch (IOException e) {
            throw EngineFault.notYet(
                    "namespace.device_absent", "The device of " + what + " is not there. It is taken once it is.", e);
        }
    }

    void remove(NamespaceId id) throws EngineFault {
        NamespaceEntry entry = ownership.namespaces().get(id);
        if (entry == null) {
            return;
        }
        SubsystemEntry subsystem = ownership.subsystems().get(entry.subsystem());
        try {
            if (subsystem != null) {
                tree.remove(Tree.namespace(subsystem.nqn(), entry.nsid()));
            }
        } catch (ConfigFsException e) {
            throw Refused.NAMESPACE.explain("namespace " + entry.nsid() + " of " + subsystem.nqn(), e);
        }
        ownership.change(record -> record.remove(id));
    }
}
