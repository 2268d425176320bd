package io.fairlead.worker.engine;

import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.ObjectKind;
import io.fairlead.core.HostId;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.SubsystemId;
import io.fairlead.nvme.spec.AnaState;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** The vocabulary of change, the same for every engine. Each step is idempotent: doing it twice is doing it once. */
public sealed interface Step {

    /** The kind of the object whose state this step decides. */
    ObjectKind kind();

    /** The object whose state this step decides. */
    UUID objectId();

    /** What it does, for people; never a secret. */
    String describe();

    /** Makes the host known, or replaces its keys; live associations of the host stay. */
    record PutHost(TargetSpec.HostSpec host) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.HOST;
        }

        @Override
        public UUID objectId() {
            return host.id().value();
        }

        @Override
        public String describe() {
            return "set host " + host.nqn();
        }
    }

    record RemoveHost(HostId host, String nqn) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.HOST;
        }

        @Override
        public UUID objectId() {
            return host.value();
        }

        @Override
        public String describe() {
            return "remove host " + nqn;
        }
    }

    /** Creates the subsystem without namespaces, hosts or links; or changes serial, model, access of an existing one. */
    record PutSubsystem(TargetSpec.SubsystemSpec subsystem, CntlidWindow cntlids) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.id().value();
        }

        @Override
        public String describe() {
            return "set subsystem " + subsystem.nqn();
        }
    }

    record RemoveSubsystem(SubsystemId subsystem, String nqn) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.value();
        }

        @Override
        public String describe() {
            return "remove subsystem " + nqn;
        }
    }

    record AllowHost(SubsystemId subsystem, String nqn, HostId host) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.value();
        }

        @Override
        public String describe() {
            return "allow host " + host + " to " + nqn;
        }
    }

    /** Ends the host's associations with the subsystem as well. */
    record DisallowHost(SubsystemId subsystem, String nqn, HostId host) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.value();
        }

        @Override
        public String describe() {
            return "no longer allow host " + host + " to " + nqn;
        }
    }

    /** Attaches and enables a namespace, with exactly this identity. */
    record AddNamespace(SubsystemId subsystem, String nqn, TargetSpec.NamespaceSpec namespace) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.NAMESPACE;
        }

        @Override
        public UUID objectId() {
            return namespace.id().value();
        }

        @Override
        public String describe() {
            return "add namespace " + namespace.nsid() + " to " + nqn;
        }
    }

    /** Makes a grown device visible, and tells connected hosts. */
    record ResizeNamespace(SubsystemId subsystem, String nqn, NamespaceId namespace, long nsid, long sizeBytes)
            implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.NAMESPACE;
        }

        @Override
        public UUID objectId() {
            return namespace.value();
        }

        @Override
        public String describe() {
            return "grow namespace " + nsid + " of " + nqn + " to " + sizeBytes + " bytes";
        }
    }

    record RemoveNamespace(SubsystemId subsystem, String nqn, NamespaceId namespace, long nsid) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.NAMESPACE;
        }

        @Override
        public UUID objectId() {
            return namespace.value();
        }

        @Override
        public String describe() {
            return "remove namespace " + nsid + " from " + nqn;
        }
    }

    /**
     * Listens there, with the attributes and ANA states of the spec. A listener that is there with another address or other attributes is
     * moved: it keeps its subsystems, and stays where it is until the new place is ready wherever both can be at once.
     *
     * @param serving what a new listener serves from its first moment. A host that comes back to a listener before its subsystem is linked
     *     is told that there is no such subsystem and not to try again (Do Not Retry, NVMe over Fabrics 1.1 section 3.3), and Linux then
     *     gives its controller up for good. Each has a {@link Link} of its own as well, which says what became of it.
     */
    record AddListener(TargetSpec.ListenerSpec listener, List<Served> serving) implements Step {

        /** A subsystem with what it needs to be served. */
        public record Served(SubsystemId subsystem, String nqn) {}

        public AddListener {
            serving = List.copyOf(serving);
        }

        /** One that serves nothing yet, or keeps what it serves. */
        public AddListener(TargetSpec.ListenerSpec listener) {
            this(listener, List.of());
        }

        @Override
        public ObjectKind kind() {
            return ObjectKind.LISTENER;
        }

        @Override
        public UUID objectId() {
            return listener.id().value();
        }

        @Override
        public String describe() {
            return "listen on " + listener.traddr() + " port " + listener.trsvcid();
        }
    }

    /** Ends the associations that came through the listener as well. */
    record RemoveListener(ListenerId listener, String traddr, int trsvcid) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.LISTENER;
        }

        @Override
        public UUID objectId() {
            return listener.value();
        }

        @Override
        public String describe() {
            return "stop listening on " + traddr + " port " + trsvcid;
        }
    }

    /** Sets the state of one ANA group as seen through the listener; hosts that are connected through it are told. */
    record SetAnaState(ListenerId listener, long anaGroup, AnaState state) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.LISTENER;
        }

        @Override
        public UUID objectId() {
            return listener.value();
        }

        @Override
        public String describe() {
            return "make ANA group " + anaGroup + " "
                    + state.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " on listener " + listener;
        }
    }

    record Link(SubsystemId subsystem, String nqn, ListenerId listener) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.value();
        }

        @Override
        public String describe() {
            return "serve " + nqn + " on listener " + listener;
        }
    }

    /** Ends the associations of this subsystem that came through this listener; others stay. */
    record Unlink(SubsystemId subsystem, String nqn, ListenerId listener) implements Step {
        @Override
        public ObjectKind kind() {
            return ObjectKind.SUBSYSTEM;
        }

        @Override
        public UUID objectId() {
            return subsystem.value();
        }

        @Override
        public String describe() {
            return "no longer serve " + nqn + " on listener " + listener;
        }
    }
}
