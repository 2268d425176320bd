package io.fairlead.nvme.initiator;

import static io.fairlead.nvme.initiator.HostCommand.LE32;

import io.fairlead.nvme.auth.AuthHost;
import io.fairlead.nvme.auth.AuthMessage;
import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * A host's association with one controller (NVM Express Base 2.0, sections 3.1, 3.5 and 6): Connect, authentication, enabling, Identify,
 * and then the I/O queues. What a Linux host would refuse is refused here with the reason. Not thread-safe; queues may be used from
 * elsewhere once they are connected.
 */
public final class HostController {

    /** The subsystem that every discovery service answers to. */
    public static final String DISCOVERY_NQN = "nqn.2014-08.org.nvmexpress.discovery";

    /** Linux's depth of an admin queue. */
    public static final int ADMIN_DEPTH = 32;

    private static final long AUTHENTICATION_REQUIRED = 1L << 17;
    private static final long CONCATENATION_REQUIRED = 1L << 18;
    /** IOCQES 4, IOSQES 6. */
    private static final int CC_DISABLED = 0x0046_0000;

    private static final int CC_ENABLED = CC_DISABLED | 1;
    private static final int CC_SHUTDOWN_NORMAL = CC_ENABLED | 1 << 14;
    private static final int CSTS_READY = 1;
    private static final int CSTS_FATAL = 1 << 1;
    private static final int CSTS_SHUTDOWN_MASK = 3 << 2;
    private static final int CSTS_SHUTDOWN_COMPLETE = 2 << 2;
    private static final int READY_POLL_MILLIS = 20;
    private static final int CAPSULE_UNITS_MIN = 4;
    private static final int HOST_PAGE_BITS = 12;
    /** Namespace attributes, ANA and discovery log changes. */
    private static final int EVENTS = 1 << 8 | 1 << 11;

    private final HostQueue admin;
    private final HostIdentity host;
    private final String subsystemNqn;
    private final RandomGenerator random;
    private final LongConsumer pauseMillis;
    private int nextTransactionId;
    private int controllerId;
    private long capabilities;
    private Optional<AuthProgress.Succeeded> authentication = Optional.empty();

    /**
     * @param admin a queue that reaches the controller's address
     * @param random a cryptographic generator, for the authentication
     * @param pauseMillis waits while the controller gets ready
     */
    public HostController(
            HostQueue admin, HostIdentity host, String subsystemNqn, RandomGenerator random, LongConsumer pauseMillis) {
        this.admin = admin;
        this.host = host;
        this.subsystemNqn = subsystemNqn;
        this.random = random;
        this.pauseMillis = pauseMillis;
    }

    /** Connects the admin queue, authenticates if the controller asks for it, and enables the controller. */
    public void establish(int keepAliveMillis) throws InitiatorFault {
        controllerId = connect(admin, FabricsCommands.ANY_CONTROLLER, 0, ADMIN_DEPTH, keepAliveMillis);
        capabilities = propertyGetLong(FabricsCommands.CAP);
        int pageBitsMin = 12 + (int) (capabilities >>> 48 & 0xF);
        if (pageBitsMin > HOST_PAGE_BITS) {
            throw unsuitable("The controller's smallest memory page is larger than a host's page.");
        }
        propertySet(FabricsCommands.CC, CC_DISABLED);
        propertySet(FabricsCommands.CC, CC_ENABLED);
        awaitReady();
    }

    private int connect(HostQueue queue, int wantedController, int queueId, int depth, int keepAliveMillis)
            throws InitiatorFault {
        Completion completion = queue.execute(
                FabricsCommands.connect(host, subsystemNqn, wantedController, queueId, depth, keepAliveMillis));
        if (!completion.succeeded()) {
            throw StatusText.refusedConnect(completion, host, subsystemNqn);
        }
        if ((completion.result() & CONCATENATION_REQUIRED) != 0) {
            throw unsuitable("The controller demands a secure channel after authentication, which this host has not.");
        }
        if ((completion.result() & AUTHENTICATION_REQUIRED) != 0) {
            authenticate(queue);
        }
        return (int) (completion.result() & 0xFFFF);
    }

    private void authenticate(HostQueue queue) throws InitiatorFault {
        HostPolicy policy = host.authentication().orElseThrow(InitiatorFault::keyRequired);
        AuthHost exchange = new AuthHost(host.nqn(), subsystemNqn, policy, nextTransactionId++, random);
        MemorySegment buffer = MemorySegment.ofArray(new byte[AuthMessage.BYTES_MAX]);
        for (AuthHost.Action action = exchange.action();
                action != AuthHost.Action.NOTHING;
                action = exchange.action()) {
            if (action == AuthHost.Action.SEND) {
                MemorySegment message = buffer.asSlice(0, exchange.writeNext(buffer));
                requireSuccess("Authentication Send", queue.execute(FabricsCommands.authenticationSend(message)));
            } else {
                Completion received = queue.execute(FabricsCommands.authenticationReceive(buffer));
                requireSuccess("Authentication Receive", received);
                exchange.onReceived(buffer.asSlice(0, received.dataBytes()));
            }
        }
        switch (exchange.progress()) {
            case AuthProgress.Succeeded succeeded -> authentication = Optional.of(succeeded);
            case AuthProgress.Refused(var refusal) -> throw InitiatorFault.authentication(refusal);
            case AuthProgress.Pending _ -> throw new IllegalStateException("the exchange ended without an end");
        }
    }

    /** CAP.TO, in units of 500 ms, is how long a controller may take. */
    private void awaitReady() throws InitiatorFault {
        long patienceMillis = Math.max(1, capabilities >>> 24 & 0xFF) * 500;
        for (long waited = 0; waited <= patienceMillis; waited += READY_POLL_MILLIS) {
            int status = propertyGet(FabricsCommands.CSTS);
            if ((status & CSTS_FATAL) != 0) {
                throw unsuitable("The controller reports a fatal status while it is being enabled.");
            }
            if ((status & CSTS_READY) != 0) {
                return;
            }
            pauseMillis.accept(READY_POLL_MILLIS);
        }
        throw unsuitable("The controller did not become ready in the %d ms that it claims.".formatted(patienceMillis));
    }

    /** Identify Controller, with the checks that a Linux host makes of an I/O controller. */
    public ControllerData identifyController() throws InitiatorFault {
        ControllerData data = ControllerData.of(identify(AdminCommands.CNS_CONTROLLER, 0, "Identify Controller"));
        if (data.controllerId() != controllerId) {
            throw unsuitable("The controller calls itself %d in Identify and %d in Connect."
                    .formatted(data.controllerId(), controllerId));
        }
        if (isDiscovery()) {
            return data;
        }
        if (data.keepAliveGranularity() == 0) {
            throw unsuitable("The controller does not support Keep Alive, which fabrics demand.");
        }
        if ((data.sglSupport() & 3) == 0) {
            throw unsuitable("The controller does not support scatter-gather lists, which fabrics demand.");
        }
        if (data.commandCapsuleUnits() < CAPSULE_UNITS_MIN || data.responseCapsuleUnits() < 1) {
            throw unsuitable("The controller's capsules are too small for a command or a completion.");
        }
        if (data.inCapsuleOffset() != 0) {
            throw unsuitable("The controller wants an offset before the data in a capsule, which TCP does not have.");
        }
        return data;
    }

    private boolean isDiscovery() {
        return subsystemNqn.equals(DISCOVERY_NQN);
    }

    /** Asks for I/O queues; returns how many the controller grants, at most as many as asked. */
    public int requestQueues(int queues) throws InitiatorFault {
        Completion completion = admin.execute(AdminCommands.setNumberOfQueues(queues));
        requireSuccess("Set Features (Number of Queues)", completion);
        int submission = (int) (completion.result() & 0xFFFF) + 1;
        int completionQueues = (int) (completion.result() >>> 16 & 0xFFFF) + 1;
        return Math.min(queues, Math.min(submission, completionQueues));
    }

    /** Connects an I/O queue, and authenticates on it if the controller asks for it. */
    public void connectQueue(HostQueue queue, int queueId, int depth) throws InitiatorFault {
        int answered = connect(queue, controllerId, queueId, depth, 0);
        if (answered != controllerId) {
            throw unsuitable(
                    "The controller %d answers Connect of an I/O queue as %d.".formatted(controllerId, answered));
        }
    }

    /** The deepest I/O queue that the controller takes. */
    public int queueDepthMax() {
        return (int) (capabilities & 0xFFFF) + 1;
    }

    /** All active namespaces that a host can use. */
    public List<NamespaceData> identifyNamespaces() throws InitiatorFault {
        List<NamespaceData> namespaces = new ArrayList<>();
        for (long nsid : activeNamespaces()) {
            MemorySegment descriptors =
                    identify(AdminCommands.CNS_DESCRIPTORS, nsid, "Identify Namespace Descriptors of " + nsid);
            MemorySegment data = identify(AdminCommands.CNS_NAMESPACE, nsid, "Identify Namespace of " + nsid);
            NamespaceData.of(nsid, data, descriptors).ifPresent(namespaces::add);
        }
        return namespaces;
    }

    private List<Long> activeNamespaces() throws InitiatorFault {
        List<Long> active = new ArrayList<>();
        long after = 0;
        while (true) {
            MemorySegment list =
                    identify(AdminCommands.CNS_ACTIVE_NAMESPACES, after, "Identify Active Namespace ID List");
            int found = 0;
            for (long at = 0; at < list.byteSize(); at += Integer.BYTES) {
                long nsid = Integer.toUnsignedLong(list.get(LE32, at));
                if (nsid == 0) {
                    return active;
                }
                if (nsid <= after) {
                    throw unsuitable("The list of active namespaces is not in ascending order.");
                }
                after = nsid;
                active.add(nsid);
                found++;
            }
            if (found == 0) {
                return active;
            }
        }
    }

    private MemorySegment identify(int cns, long nsid, String what) throws InitiatorFault {
        MemorySegment data = MemorySegment.ofArray(new byte[AdminCommands.IDENTIFY_BYTES]);
        Completion completion = admin.execute(AdminCommands.identify(cns, nsid, data));
        requireSuccess(what, completion);
        return data;
    }

    /** The whole discovery log; of a discovery controller. */
    public DiscoveryLog discover() throws InitiatorFault {
        return DiscoveryLog.read(admin);
    }

    /** A log page from its start, as long as the segment. */
    public void getLogPage(int page, MemorySegment data) throws InitiatorFault {
        requireSuccess(
                "Get Log Page %02xh".formatted(page),
                admin.execute(AdminCommands.getLogPage(page, AdminCommands.ALL_NAMESPACES, 0, data)));
    }

    /** Lets the controller tell of changed namespaces and ANA states; the transport then submits event requests. */
    public void enableEvents() throws InitiatorFault {
        requireSuccess("Set Features (Asynchronous Events)", admin.execute(AdminCommands.setEvents(EVENTS)));
    }

    public void keepAlive() throws InitiatorFault {
        requireSuccess("Keep Alive", admin.execute(AdminCommands.keepAlive()));
    }

    /** Tells the controller that the host leaves, and waits until it has taken note of it (section 3.6.1). */
    public void shutDown() throws InitiatorFault {
        propertySet(FabricsCommands.CC, CC_SHUTDOWN_NORMAL);
        int polls = 50;
        for (int poll = 0; poll < polls; poll++) {
            if ((propertyGet(FabricsCommands.CSTS) & CSTS_SHUTDOWN_MASK) == CSTS_SHUTDOWN_COMPLETE) {
                return;
            }
            pauseMillis.accept(READY_POLL_MILLIS);
        }
    }

    private long propertyGetLong(int property) throws InitiatorFault {
        Completion completion = admin.execute(FabricsCommands.propertyGetLong(property));
        requireSuccess("Property Get", completion);
        return completion.result();
    }

    private int propertyGet(int property) throws InitiatorFault {
        Completion completion = admin.execute(FabricsCommands.propertyGet(property));
        requireSuccess("Property Get", completion);
        return (int) completion.result();
    }

    private void propertySet(int property, int value) throws InitiatorFault {
        requireSuccess("Property Set", admin.execute(FabricsCommands.propertySet(property, value)));
    }

    /** Turns an error status into a fault. */
    public static void requireSuccess(String what, Completion completion) throws InitiatorFault {
        if (!completion.succeeded()) {
            throw StatusText.failed(what, completion);
        }
    }

    private static InitiatorFault unsuitable(String sentence) {
        return InitiatorFault.of(Kind.CONTROLLER_UNSUITABLE, sentence);
    }

    /** CNTLID, as Connect gave it. */
    public int controllerId() {
        return controllerId;
    }

    /** How the two sides proved themselves; empty if the controller did not ask for it. */
    public Optional<AuthProgress.Succeeded> authentication() {
        return authentication;
    }
}
