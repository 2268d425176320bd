package io.fairlead.worker.engine.embedded;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.DesiredSubsystem;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.NamespaceModel;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.target.SubsystemModel.Access;
import io.fairlead.nvme.target.Target;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget.ObservedNamespace;
import io.fairlead.worker.engine.ObservedTarget.ObservedSubsystem;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.TargetSpec.SubsystemSpec;
import io.fairlead.worker.engine.embedded.device.FileDevice;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Subsystems and their namespaces by id; the target knows them by NQN and NSID. Used by the reconciler's thread. */
final class Subsystems {

    private final Target target;
    private final Hosts hosts;
    private final Devices devices;
    private final Map<SubsystemId, String> nqns = new HashMap<>();

    Subsystems(Target target, Hosts hosts, Devices devices) {
        this.target = target;
        this.hosts = hosts;
        this.devices = devices;
    }

    void put(SubsystemSpec wanted, CntlidWindow cntlids) throws EngineFault {
        String present = nqns.get(wanted.id());
        if (present != null && !present.equals(wanted.nqn())) {
            throw EngineFault.broken(
                    "subsystem.renamed", present + " cannot become " + wanted.nqn() + " in place.", null);
        }
        if (present == null && target.subsystem(wanted.nqn()).isPresent()) {
            throw EngineFault.broken("subsystem.nqn_taken", wanted.nqn() + " is served already.", null);
        }
        Access access = switch (wanted.access()) {
            case LISTED_HOSTS -> Access.LISTED_HOSTS;
            case ANY_HOST -> Access.ANY_HOST;
        };
        target.putSubsystem(wanted.nqn(), wanted.serial(), wanted.model(), access, cntlids.first(), cntlids.last());
        nqns.put(wanted.id(), wanted.nqn());
    }

    void remove(SubsystemId id) throws EngineFault {
        String nqn = nqns.get(id);
        if (nqn == null) {
            return;
        }
        SubsystemModel model = model(nqn);
        if (!model.namespaces().isEmpty() || !model.listeners().isEmpty()) {
            throw EngineFault.broken("subsystem.in_use", nqn + " is still linked or has namespaces.", null);
        }
        target.removeSubsystem(nqn);
        nqns.remove(id);
    }

    /** The NQN of a subsystem that was put. */
    String require(SubsystemId id, String nqn) throws EngineFault {
        if (!nqns.containsKey(id)) {
            throw EngineFault.broken("subsystem.absent", nqn + " is not known to the engine.", null);
        }
        return nqns.get(id);
    }

    Optional<String> nqn(SubsystemId id) {
        return Optional.ofNullable(nqns.get(id));
    }

    private SubsystemModel model(String nqn) {
        return target.subsystem(nqn)
                .orElseThrow(() -> new IllegalStateException("the target lost the subsystem " + nqn));
    }

    // Namespaces

    void addNamespace(String nqn, NamespaceSpec wanted) throws EngineFault {
        requireRange(wanted);
        NamespaceModel present = model(nqn).namespaces().get((int) wanted.nsid());
        boolean replaces = false;
        if (present != null) {
            NamespaceId holder = devices.namespaceOn(present.device()).orElse(null);
            if (!wanted.id().equals(holder)) {
                throw EngineFault.broken(
                        "namespace.nsid_taken",
                        "Another namespace of " + nqn + " has NSID " + wanted.nsid() + ".",
                        null);
            }
            if (devices.failure(wanted.id()).isEmpty()) {
                requireSame(nqn, present, wanted);
                return;
            }
            replaces = true;
        }
        FileDevice device = replaces ? devices.reopen(wanted) : devices.open(wanted);
        if (replaces) {
            target.removeNamespace(nqn, (int) wanted.nsid());
        }
        target.addNamespace(
                nqn,
                new NamespaceModel(
                        (int) wanted.nsid(),
                        wanted.uuid(),
                        HexFormat.of().parseHex(wanted.nguid()),
                        HexFormat.of().parseHex(wanted.eui64()),
                        (int) wanted.anaGroup(),
                        device));
        devices.closeReplaced();
    }

    private static void requireRange(NamespaceSpec wanted) throws EngineFault {
        if (wanted.nsid() < 1 || wanted.nsid() > Target.NAMESPACES_MAX) {
            throw EngineFault.broken(
                    "namespace.nsid_out_of_range",
                    "NSID " + wanted.nsid() + " is not between 1 and " + Target.NAMESPACES_MAX + ".",
                    null);
        }
        if (wanted.anaGroup() < 1 || wanted.anaGroup() > Target.ANA_GROUPS_MAX) {
            throw EngineFault.broken(
                    "namespace.ana_group_out_of_range",
                    "ANA group " + wanted.anaGroup() + " is not between 1 and " + Target.ANA_GROUPS_MAX + ".",
                    null);
        }
    }

    private void requireSame(String nqn, NamespaceModel present, NamespaceSpec wanted) throws EngineFault {
        ObservedNamespace observed = observe(present).orElse(null);
        boolean same = observed != null
                && observed.uuid().equals(wanted.uuid())
                && observed.nguid().equals(wanted.nguid())
                && observed.eui64().equals(wanted.eui64())
                && observed.anaGroup() == wanted.anaGroup()
                && observed.lbaBytes() == wanted.lbaBytes()
                && observed.deviceIdentity().equals(wanted.deviceIdentity());
        if (!same) {
            throw EngineFault.broken(
                    "namespace.differs",
                    "Namespace " + wanted.nsid() + " of " + nqn
                            + " is served with another identity and has to be removed first.",
                    null);
        }
    }

    void resizeNamespace(String nqn, NamespaceId id, long nsid, long sizeBytes) throws EngineFault {
        FileDevice device = devices.device(id)
                .orElseThrow(() -> EngineFault.broken(
                        "namespace.absent", "Namespace " + nsid + " of " + nqn + " is not served.", null));
        if (sizeBytes < device.sizeBytes()) {
            throw EngineFault.broken(
                    "namespace.shrink",
                    "Namespace " + nsid + " of " + nqn + " has " + device.sizeBytes() + " bytes and cannot shrink to "
                            + sizeBytes + ".",
                    null);
        }
        if (sizeBytes > device.sizeBytes()) {
            devices.grow(id, sizeBytes);
            target.namespaceResized(nqn, (int) nsid);
        }
    }

    void removeNamespace(SubsystemId subsystem, NamespaceId id, long nsid) {
        String nqn = nqns.get(subsystem);
        if (nqn == null || devices.device(id).isEmpty()) {
            return;
        }
        NamespaceModel present = model(nqn).namespaces().get((int) nsid);
        if (present != null && devices.namespaceOn(present.device()).equals(Optional.of(id))) {
            target.removeNamespace(nqn, (int) nsid);
            devices.close(id);
        }
    }

    // Reading back

    Map<SubsystemId, ObservedSubsystem> observe() {
        Map<SubsystemId, ObservedSubsystem> observed = new HashMap<>();
        nqns.forEach((id, nqn) -> target.subsystem(nqn).ifPresent(model -> observed.put(id, observe(id, model))));
        return observed;
    }

    private ObservedSubsystem observe(SubsystemId id, SubsystemModel model) {
        Map<NamespaceId, ObservedNamespace> namespaces = new HashMap<>();
        model.namespaces()
                .values()
                .forEach(namespace -> observe(namespace).ifPresent(seen -> namespaces.put(seen.id(), seen)));
        Set<ListenerId> listeners =
                model.listeners().stream().map(ListenerId::new).collect(Collectors.toSet());
        return new ObservedSubsystem(
                id,
                model.nqn(),
                model.serial(),
                model.model(),
                switch (model.access()) {
                    case LISTED_HOSTS -> DesiredSubsystem.Access.LISTED_HOSTS;
                    case ANY_HOST -> DesiredSubsystem.Access.ANY_HOST;
                },
                namespaces,
                hosts.idsOf(model.allowedHosts()),
                listeners);
    }

    /** A namespace whose device has failed is not served, whatever the target still shows to hosts. */
    private Optional<ObservedNamespace> observe(NamespaceModel model) {
        BlockDevice device = model.device();
        return devices.namespaceOn(device)
                .filter(id -> devices.failure(id).isEmpty())
                .map(id -> new ObservedNamespace(
                        id,
                        model.nsid(),
                        model.uuid(),
                        HexFormat.of().formatHex(model.nguid()),
                        HexFormat.of().formatHex(model.eui64()),
                        device.blockCount() * device.blockBytes(),
                        device.blockBytes(),
                        model.anaGroup(),
                        devices.identity(id)));
    }
}
