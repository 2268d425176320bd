package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.AdminOpcode;
import io.fairlead.nvme.spec.FabricsType;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;
import io.fairlead.nvme.wire.CompletionEntry;
import io.fairlead.nvme.wire.SubmissionEntry;
import java.lang.foreign.MemorySegment;
import java.util.UUID;

/**
 * One connection, which is one queue. Owned by its poll group's thread; {@link #execute} and {@link #disconnectSoon} may be called from any.
 *
 * <pre>
 *   CONNECTING ─ Connect ─▶ AUTHENTICATING ─ DH-HMAC-CHAP ─▶ LIVE
 *        └──────── Connect, no authentication needed ────────▲
 *   any of them ─ connection gone or association ended ─▶ CLOSED
 * </pre>
 *
 * <p>A command is worked on in at most two passes: when it arrives, and when the data that it needs from the host is here. Each pass either
 * completes it, asks the transport for its data, or hands it to a device.
 */
final class FabricQueue implements TargetQueue {

    /** One sentence per state. */
    enum State {
        /** Nothing but Connect is taken. */
        CONNECTING,
        /** Connected; nothing but authentication is taken. */
        AUTHENTICATING,
        /** In use. */
        LIVE,
        /** The connection is gone, or is about to go. */
        CLOSED
    }

    /** What a transport must allow for before Connect has told the depth. */
    private static final int DEPTH_BEFORE_CONNECT = 128;

    private static final int SQHD_UNUSED = 0xFFFF;

    private final Target target;
    private final FabricTransport transport;
    private final PollGroup group;
    private final UUID listener;
    private final Connecting connecting;
    private final Authentication authentication;

    private State state = State.CONNECTING;
    private Controller controller;
    private AdminCommands adminCommands;
    private IoCommands ioCommands;
    private int qid;
    private int depth = DEPTH_BEFORE_CONNECT;
    private int sqHead;
    private boolean flowControl = true;
    private boolean dataHere;

    FabricQueue(Target target, FabricTransport transport, PollGroup group, UUID listener) {
        this.target = target;
        this.transport = transport;
        this.group = group;
        this.listener = listener;
        this.connecting = new Connecting(this, target);
        this.authentication = new Authentication(this, target);
    }

    // From the transport

    @Override
    public void onCommand(FabricCommand command) {
        command.queue(this);
        dataHere = false;
        work(command);
    }

    @Override
    public void onData(FabricCommand command) {
        dataHere = true;
        work(command);
    }

    private void work(FabricCommand command) {
        if (state == State.LIVE && ioCommands != null && SubmissionEntry.opcode(command.sqe()) != AdminOpcode.FABRICS) {
            ioCommands.work(command);
            return;
        }
        if (adminCommands != null) {
            adminCommands.onHeard();
        }
        try {
            dispatch(command);
        } catch (CommandFault fault) {
            finish(command, fault.status().field(fault.retry()), fault.result());
        }
    }

    private void dispatch(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        if (!SubmissionEntry.hasSgl(sqe)) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        if (SubmissionEntry.opcode(sqe) == AdminOpcode.FABRICS) {
            dispatchFabrics(command, SubmissionEntry.fabricsType(sqe));
            return;
        }
        switch (state) {
            case CONNECTING -> throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
            case AUTHENTICATING -> {
                authentication.onOtherCommand();
                throw CommandFault.of(StatusCode.AUTHENTICATION_REQUIRED);
            }
            case LIVE -> adminCommands.work(command);
            case CLOSED -> throw CommandFault.forNow(StatusCode.COMMAND_ABORT_REQUESTED);
        }
    }

    private void dispatchFabrics(FabricCommand command, int type) throws CommandFault {
        if (state == State.CLOSED) {
            throw CommandFault.forNow(StatusCode.COMMAND_ABORT_REQUESTED);
        }
        if (type == FabricsType.CONNECT) {
            if (state != State.CONNECTING) {
                throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
            }
            connecting.onConnect(command);
            return;
        }
        if (state == State.CONNECTING) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        if (type == FabricsType.AUTHENTICATION_SEND) {
            authentication.onSend(command);
            return;
        }
        if (type == FabricsType.AUTHENTICATION_RECEIVE) {
            authentication.onReceive(command);
            return;
        }
        if (state == State.AUTHENTICATING) {
            authentication.onOtherCommand();
            throw CommandFault.of(StatusCode.AUTHENTICATION_REQUIRED);
        }
        switch (type) {
            case FabricsType.PROPERTY_GET -> requireAdmin().onPropertyGet(command);
            case FabricsType.PROPERTY_SET -> requireAdmin().onPropertySet(command);
            case FabricsType.DISCONNECT -> {
                if (isAdmin()) {
                    throw CommandFault.of(StatusCode.INVALID_FIELD);
                }
                complete(command, 0);
                close();
            }
            default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
    }

    private AdminCommands requireAdmin() throws CommandFault {
        if (adminCommands == null) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        return adminCommands;
    }

    @Override
    public void onDataLost(FabricCommand command, DataLoss loss) {
        command.queue(this);
        StatusCode status = switch (loss) {
            case DAMAGED -> StatusCode.TRANSIENT_TRANSPORT_ERROR;
            case NO_BUFFER -> StatusCode.COMMAND_INTERRUPTED;
        };
        fail(command, status, Retry.ALLOWED);
    }

    @Override
    public void onDeviceDone(FabricCommand command, DeviceStatus status) {
        if (state != State.CLOSED) {
            ioCommands.onDeviceDone(command, status);
        }
    }

    @Override
    public void onDisconnect() {
        if (state == State.AUTHENTICATING) {
            authentication.onDisconnect();
        }
        leave();
    }

    private void leave() {
        boolean wasClosed = state == State.CLOSED;
        state = State.CLOSED;
        if (wasClosed || controller == null) {
            return;
        }
        if (isAdmin()) {
            controller.events().clear();
            controller.end();
        } else {
            controller.removeIoQueue(qid, this);
        }
    }

    @Override
    public void onTick(long nowNanos) {
        switch (state) {
            case AUTHENTICATING -> authentication.onTick(nowNanos);
            case LIVE -> {
                if (adminCommands != null) {
                    adminCommands.onTick(nowNanos);
                }
            }
            case CONNECTING, CLOSED -> {
                // The transport has a time limit of its own until Connect.
            }
        }
    }

    @Override
    public int depth() {
        return depth;
    }

    // Transitions

    /** Connect was accepted; the completion says whether authentication comes next. */
    void toConnected(Controller owner, int number, int entries, boolean withFlowControl, State next) {
        controller = owner;
        qid = number;
        depth = entries;
        flowControl = withFlowControl;
        state = next;
        authentication.onConnected(group.nowNanos());
        if (isAdmin()) {
            adminCommands = new AdminCommands(this, target, owner);
        } else {
            ioCommands = new IoCommands(this, owner, owner.counters(number));
        }
    }

    void toLive() {
        if (state == State.AUTHENTICATING) {
            state = State.LIVE;
            if (adminCommands != null) {
                adminCommands.onHeard();
            }
        }
    }

    /** Ends this connection from its own thread, after what was completed has been sent. */
    void close() {
        if (state != State.CLOSED) {
            leave();
            transport.disconnect();
        }
    }

    // From any thread

    void execute(Runnable task) {
        group.execute(() -> {
            if (state != State.CLOSED) {
                task.run();
            }
        });
    }

    void disconnectSoon() {
        group.execute(this::close);
    }

    String peerAddress() {
        return transport.peerAddress();
    }

    // For the parts that work on commands

    boolean isAdmin() {
        return qid == 0;
    }

    State state() {
        return state;
    }

    Controller controller() {
        return controller;
    }

    UUID listener() {
        return listener;
    }

    PollGroup group() {
        return group;
    }

    TargetSettings settings() {
        return target.settings();
    }

    AdminCommands adminCommands() {
        return adminCommands;
    }

    /**
     * Whether the command's data from the host is here, in {@link FabricCommand#data()}; if not, it has been asked for and the command
     * comes back.
     *
     * @param bytes exactly what the descriptor must say
     */
    boolean hasHostData(FabricCommand command, int bytes) throws CommandFault {
        if (dataHere) {
            return true;
        }
        MemorySegment sqe = command.sqe();
        if (SubmissionEntry.sglLength(sqe) != bytes) {
            throw CommandFault.of(StatusCode.DATA_SGL_LENGTH_INVALID);
        }
        if (SubmissionEntry.sglType(sqe) == SubmissionEntry.SGL_IN_CAPSULE) {
            if (SubmissionEntry.sglAddress(sqe) != 0) {
                throw CommandFault.of(StatusCode.SGL_OFFSET_INVALID);
            }
            if (command.inCapsuleBytes() < bytes) {
                throw CommandFault.of(StatusCode.DATA_SGL_LENGTH_INVALID);
            }
            return true;
        }
        requireTransportSgl(sqe);
        if (bytes > settings().transferBytesMax()) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        if (!transport.takeBuffer(command, bytes)) {
            throw CommandFault.forNow(StatusCode.COMMAND_INTERRUPTED);
        }
        command.dataBytes(bytes);
        transport.fetch(command);
        return false;
    }

    /** A zeroed buffer of {@code bytes} for data to the host, which has to have room for all of them. */
    MemorySegment replyBuffer(FabricCommand command, int bytes) throws CommandFault {
        MemorySegment sqe = command.sqe();
        if (SubmissionEntry.sglLength(sqe) < bytes) {
            throw CommandFault.of(StatusCode.DATA_SGL_LENGTH_INVALID);
        }
        requireTransportSgl(sqe);
        if (!transport.takeBuffer(command, bytes)) {
            throw CommandFault.forNow(StatusCode.COMMAND_INTERRUPTED);
        }
        MemorySegment reply = command.data().asSlice(0, bytes);
        reply.fill((byte) 0);
        command.dataToHostBytes(bytes);
        return reply;
    }

    static void requireTransportSgl(MemorySegment sqe) throws CommandFault {
        if (!isTransportSgl(sqe)) {
            throw CommandFault.of(StatusCode.SGL_DESCRIPTOR_TYPE_INVALID);
        }
    }

    static boolean isTransportSgl(MemorySegment sqe) {
        int type = SubmissionEntry.sglType(sqe);
        return type == SubmissionEntry.SGL_TRANSPORT || type >>> 4 == SubmissionEntry.SGL_KEYED_TYPE;
    }

    boolean isDataHere() {
        return dataHere;
    }

    boolean takeBuffer(FabricCommand command, int bytes) {
        return transport.takeBuffer(command, bytes);
    }

    void fetch(FabricCommand command) {
        transport.fetch(command);
    }

    void complete(FabricCommand command, long result) {
        finish(command, 0, result);
    }

    void fail(FabricCommand command, StatusCode status, Retry retry) {
        finish(command, status.field(retry), 0);
    }

    private void finish(FabricCommand command, int status, long result) {
        if (state == State.CLOSED) {
            // The connection was given up while the command was being worked on; nobody waits for it.
            return;
        }
        if (status != 0) {
            command.dataToHostBytes(0);
        }
        // One entry was taken from the submission queue for this completion.
        sqHead = sqHead + 1 == depth ? 0 : sqHead + 1;
        CompletionEntry.put(
                command.cqe(), result, flowControl ? sqHead : SQHD_UNUSED, SubmissionEntry.cid(command.sqe()), status);
        transport.complete(command);
    }

    void refuse(Refusal.Check check, String hostNqn, String subsystemNqn, String sentence) {
        target.refusals().onRefusal(new Refusal(check, hostNqn, subsystemNqn, transport.peerAddress(), sentence));
    }
}
