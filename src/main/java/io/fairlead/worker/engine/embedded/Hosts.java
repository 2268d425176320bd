package io.fairlead.worker.engine.embedded;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.DesiredHost.Authentication;
import io.fairlead.contract.DhchapSecret;
import io.fairlead.core.HostId;
import io.fairlead.nvme.auth.ControllerPolicy;
import io.fairlead.nvme.spec.DhchapGroup;
import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import io.fairlead.nvme.target.HostCredential;
import io.fairlead.nvme.target.SubsystemModel;
import io.fairlead.nvme.target.Target;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.Fingerprints;
import io.fairlead.worker.engine.ObservedTarget.ObservedHost;
import io.fairlead.worker.engine.TargetSpec.HostSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Hosts by their ids; the target knows them by NQN. Keeps fingerprints of secrets, never secrets. Used by the reconciler's thread. */
final class Hosts {

    private final Target target;
    private final Map<HostId, ObservedHost> known = new HashMap<>();

    Hosts(Target target) {
        this.target = target;
    }

    void put(HostSpec wanted) throws EngineFault {
        ObservedHost present = known.get(wanted.id());
        if (present != null && !present.nqn().equals(wanted.nqn())) {
            throw EngineFault.broken(
                    "host.renamed", present.nqn() + " cannot become " + wanted.nqn() + " in place.", null);
        }
        if (present == null && target.host(wanted.nqn()).isPresent()) {
            throw EngineFault.broken("host.nqn_taken", "Another host has the NQN " + wanted.nqn() + ".", null);
        }
        Optional<ControllerPolicy> policy = wanted.authentication().isPresent()
                ? Optional.of(policyOf(wanted.nqn(), wanted.authentication().get()))
                : Optional.empty();
        target.putHost(new HostCredential(wanted.nqn(), policy));
        known.put(wanted.id(), new ObservedHost(wanted.id(), wanted.nqn(), Fingerprints.of(wanted)));
    }

    void remove(HostId id) throws EngineFault {
        ObservedHost present = known.get(id);
        if (present == null) {
            return;
        }
        for (SubsystemModel subsystem : target.subsystems()) {
            if (subsystem.allowedHosts().contains(present.nqn())) {
                throw EngineFault.broken(
                        "host.in_use", present.nqn() + " is still allowed to " + subsystem.nqn() + ".", null);
            }
        }
        target.removeHost(present.nqn());
        known.remove(id);
    }

    /** The NQN of a host that was put. */
    Optional<String> nqn(HostId id) {
        return Optional.ofNullable(known.get(id)).map(ObservedHost::nqn);
    }

    /** The ids behind the NQNs that the target has. */
    Set<HostId> idsOf(Set<String> nqns) {
        Set<HostId> ids = new HashSet<>();
        known.forEach((id, host) -> {
            if (nqns.contains(host.nqn())) {
                ids.add(id);
            }
        });
        return ids;
    }

    Map<HostId, ObservedHost> observe() {
        Map<HostId, ObservedHost> observed = new HashMap<>();
        known.forEach((id, host) -> {
            if (target.host(host.nqn()).isPresent()) {
                observed.put(id, host);
            }
        });
        return observed;
    }

    private static ControllerPolicy policyOf(String nqn, Authentication authentication) throws EngineFault {
        Optional<DhchapKey> controllerKey = Optional.empty();
        if (authentication.controllerSecret().isPresent()) {
            controllerKey = Optional.of(
                    key(nqn, "controller", authentication.controllerSecret().get()));
        }
        return new ControllerPolicy(
                List.of(hashOf(authentication.hash())),
                List.of(groupOf(authentication.dhGroup())),
                key(nqn, "host", authentication.hostSecret()),
                controllerKey);
    }

    private static DhchapKey key(String nqn, String whose, DhchapSecret secret) throws EngineFault {
        return switch (DhchapKey.parse(secret.reveal())) {
            case DhchapKey.Parsed.Valid valid -> valid.key();
            case DhchapKey.Parsed.Invalid invalid ->
                throw EngineFault.broken(
                        "host.key_invalid",
                        "The " + whose + " key of " + nqn + " is not usable. "
                                + invalid.check().sentence(),
                        null);
        };
    }

    private static DhchapHash hashOf(AuthHash hash) {
        return switch (hash) {
            case SHA_256 -> DhchapHash.SHA_256;
            case SHA_384 -> DhchapHash.SHA_384;
            case SHA_512 -> DhchapHash.SHA_512;
        };
    }

    private static DhchapGroup groupOf(AuthDhGroup group) {
        return switch (group) {
            case NULL -> DhchapGroup.NULL;
            case FFDHE_2048 -> DhchapGroup.FFDHE_2048;
            case FFDHE_3072 -> DhchapGroup.FFDHE_3072;
            case FFDHE_4096 -> DhchapGroup.FFDHE_4096;
            case FFDHE_6144 -> DhchapGroup.FFDHE_6144;
            case FFDHE_8192 -> DhchapGroup.FFDHE_8192;
        };
    }
}
