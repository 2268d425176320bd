package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.FabricCommand;
import io.fairlead.nvme.target.FabricTransport;
import io.fairlead.nvme.target.TargetQueue;
import io.fairlead.nvme.target.TargetQueue.DataLoss;
import io.fairlead.nvme.tcp.CapsuleCmd;
import io.fairlead.nvme.tcp.FatalError;
import io.fairlead.nvme.tcp.H2cData;
import io.fairlead.nvme.tcp.IcReq;
import io.fairlead.nvme.tcp.PduDirection;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduHandler;
import io.fairlead.nvme.tcp.PduReader;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.R2tLedger;
import io.fairlead.nvme.tcp.TermReq;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/**
 * One connection of a host, which is one queue. Owned by its poll group's thread from accept to close.
 *
 * <pre>
 *   HANDSHAKE ── ICReq ──▶ READY ── disconnect() ──▶ FLUSHING ── all sent ──▶ CLOSED
 *       └──────── fault ─────┴──▶ TERMINATING ── host closes, or its time is over ──▶ CLOSED
 *       └──── end of stream, I/O error, overdue ──────────────────────────────────▶ CLOSED
 * </pre>
 *
 * <p>The target is told of the end once, when the connection leaves READY for good, and never from within a call of its own. Buffers
 * that a device still uses stay with the connection until the device is done.
 */
final class TcpConnection implements FabricTransport, PduHandler {

    /** One sentence per state: what the connection does. */
    enum State {
        /** Waits for ICReq. */
        HANDSHAKE,
        /** Serves commands. */
        READY,
        /** Sends what is left, then closes. */
        FLUSHING,
        /** Has sent a termination request and swallows input until the host closes. */
        TERMINATING,
        /** Is gone; a device may still use its buffers. */
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(TcpConnection.class.getName());
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long FLUSH_BYTES = 131_072;
    private static final int DIRECT_READ_BYTES_MIN = 8192;
    private static final int DEPTH_BEFORE_CONNECT = 128;
    private static final long TERMINATION_NANOS = 5_000_000_000L;
    private static final int ICRESP_BYTES = 128;

    private final TcpPollGroup group;
    private final TcpListener listener;
    private final SocketChannel channel;
    private final String peerAddress;
    private final TcpSettings settings;
    private final PduReader reader;
    private final PduWriter writer = new PduWriter();
    private final SendQueue send = new SendQueue();
    private final CommandSlots slots;
    private final R2tLedger ledger = new R2tLedger(DEPTH_BEFORE_CONNECT);
    private final WireBuffer control = WireBuffer.allocate(ICRESP_BYTES + TermReq.BYTES_MAX);

    private State state = State.HANDSHAKE;
    private TargetQueue queue;
    private TcpCommand current;
    private boolean socketFailed;
    private boolean sawCommand;
    private long deadlineNanos;
    private long progressNanos;
    /** Whether the poll group has this connection on its list of those to flush. */
    boolean dirty;
    /** Whether the poll group reads this connection each turn. */
    boolean hot;
    /** When the last bytes came, for the poll group's choice of what is hot. */
    long activeNanos;

    TcpConnection(TcpPollGroup group, TcpListener listener, SocketChannel channel, String peerAddress) {
        this.group = group;
        this.listener = listener;
        this.channel = channel;
        this.peerAddress = peerAddress;
        this.settings = group.settings();
        this.slots = new CommandSlots(this, group.pool());
        this.reader = new PduReader(
                PduDirection.HOST_TO_CONTROLLER, this, settings.capsuleDataBytesMax(), settings.maxH2cDataBytes());
        this.deadlineNanos = group.nowNanos() + settings.handshakeTimeout().toNanos();
        this.progressNanos = group.nowNanos();
    }

    State state() {
        return state;
    }

    TcpListener listener() {
        return listener;
    }

    SocketChannel channel() {
        return channel;
    }

    boolean hasOutput() {
        return !send.isEmpty();
    }

    /** Whether it is closed and no device uses its buffers any more. */
    boolean isFinished() {
        return state == State.CLOSED && slots.inUse() == 0;
    }

    /** Reads once and answers all that came. Returns how many bytes moved. */
    long turn() {
        if (state == State.CLOSED) {
            return 0;
        }
        long moved = flush();
        if (socketFailed) {
            close();
            return moved;
        }
        if (hasOutput() && state != State.TERMINATING) {
            return moved;
        }
        try {
            int got = read();
            if (got < 0) {
                close();
                return moved;
            }
            moved += got;
        } catch (PduFault fault) {
            terminate(fault);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> peerAddress + ": " + e.getMessage());
            close();
            return moved;
        }
        moved += flush();
        afterTurn();
        return moved;
    }

    private int read() throws IOException, PduFault {
        WireBuffer input = group.input();
        ByteBuffer inputBytes = input.bytes().clear();
        int direct = reader.directBytesWanted();
        if (direct < DIRECT_READ_BYTES_MIN) {
            int got = channel.read(inputBytes);
            if (got > 0) {
                onBytes();
                reader.read(input, 0, got);
            }
            return got;
        }
        int offset = reader.directOffset();
        ByteBuffer target = reader.directBuffer().bytes();
        target.limit(offset + direct).position(offset);
        long got = channel.read(group.scatter(target, inputBytes), 0, 2);
        target.clear();
        if (got > 0) {
            onBytes();
            int placed = (int) Math.min(got, direct);
            reader.onDirectBytes(placed);
            if (got > placed) {
                reader.read(input, 0, (int) got - placed);
            }
        }
        return (int) got;
    }

    private void onBytes() {
        progressNanos = group.nowNanos();
        activeNanos = progressNanos;
    }

    private void afterTurn() {
        if (socketFailed || (state == State.FLUSHING && !hasOutput())) {
            close();
        }
    }

    /** Sends what it can. A failure is remembered and acted upon outside of any call of the target. */
    long flush() {
        if (socketFailed || send.isEmpty()) {
            return 0;
        }
        try {
            long sent = send.flush(channel, slots);
            if (sent > 0) {
                progressNanos = group.nowNanos();
            }
            return sent;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> peerAddress + ": " + e.getMessage());
            socketFailed = true;
            return 0;
        }
    }

    /** Flushes after work that did not come from reading, for example a device completion. */
    void flushAndSettle() {
        if (state != State.CLOSED) {
            flush();
            afterTurn();
        }
    }

    // What the reader tells.

    @Override
    public void onHeader(PduReader pdu) throws PduFault {
        switch (pdu.type()) {
            case CAPSULE_CMD -> onCommandHeader(pdu);
            case H2C_DATA -> onDataHeader(pdu);
            case IC_REQ, H2C_TERM_REQ, IC_RESP, C2H_TERM_REQ, CAPSULE_RESP, C2H_DATA, R2T -> {
                // Nothing to prepare, or not for a target: the reader refuses the latter.
            }
        }
    }

    private void onCommandHeader(PduReader pdu) throws PduFault {
        TcpCommand command = slots.take(queue.depth());
        if (command == null) {
            throw PduFault.of(FatalError.PDU_SEQUENCE_ERROR, "more commands than the queue is deep");
        }
        current = command;
        FabricCommand fabric = command.fabric;
        MemorySegment.copy(pdu.header(), CapsuleCmd.SQE_OFFSET, fabric.sqe(), 0, CapsuleCmd.SQE_BYTES);
        if (pdu.dataBytes() == 0) {
            return;
        }
        if (giveBuffer(command, pdu.dataBytes())) {
            pdu.dataInto(command.buffer.wire(), 0);
            fabric.inCapsuleBytes(pdu.dataBytes());
        } else {
            command.loss = DataLoss.NO_BUFFER;
        }
    }

    private void onDataHeader(PduReader pdu) throws PduFault {
        int tag = ledger.accept(pdu.header(), 0);
        current = slots.get(tag);
        pdu.dataInto(current.buffer.wire(), (int) H2cData.dataOffset(pdu.header(), 0));
    }

    @Override
    public void onPdu(PduReader pdu) {
        switch (pdu.type()) {
            case IC_REQ -> onIcReq(pdu);
            case CAPSULE_CMD -> onCommand(pdu);
            case H2C_DATA -> onData(pdu);
            case H2C_TERM_REQ -> {
                LOG.log(
                        Level.INFO,
                        () -> peerAddress + " ended the connection with fatal error "
                                + TermReq.fatalError(reader.header(), 0));
                disconnect();
            }
            case IC_RESP, C2H_TERM_REQ, CAPSULE_RESP, C2H_DATA, R2T ->
                throw new AssertionError("the reader lets no " + pdu.type() + " through");
        }
    }

    private void onIcReq(PduReader pdu) {
        var digests = IcReq.digests(pdu.header(), 0);
        int hostAlignmentBytes = (IcReq.hostDataAlignment(pdu.header(), 0) + 1) * 4;
        int length = writer.icResp(control, 0, 0, digests, settings.maxH2cDataBytes());
        addControl(0, length);
        writer.onHandshakeDone(digests, hostAlignmentBytes);
        reader.onHandshakeDone(digests, 4);
        queue = listener.opener().open(this, group);
        state = State.READY;
        deadlineNanos = group.nowNanos() + settings.firstCommandTimeout().toNanos();
    }

    private void onCommand(PduReader pdu) {
        sawCommand = true;
        TcpCommand command = current;
        current = null;
        if (state != State.READY) {
            slots.release(command);
            return;
        }
        if (!pdu.dataDigestMatches()) {
            command.loss = DataLoss.DAMAGED;
        }
        if (command.loss == null) {
            queue.onCommand(command.fabric);
        } else {
            queue.onDataLost(command.fabric, command.loss);
        }
    }

    private void onData(PduReader pdu) {
        TcpCommand command = current;
        current = null;
        if (!pdu.dataDigestMatches()) {
            command.loss = DataLoss.DAMAGED;
        }
        if (!ledger.onArrived(command.fabric.slot(), pdu.dataBytes()) || state != State.READY) {
            return;
        }
        if (command.loss == null) {
            queue.onData(command.fabric);
        } else {
            queue.onDataLost(command.fabric, command.loss);
        }
    }

    // What the target asks for.

    @Override
    public boolean takeBuffer(FabricCommand command, int bytes) {
        return giveBuffer((TcpCommand) command.transportContext(), bytes);
    }

    private boolean giveBuffer(TcpCommand command, int bytes) {
        if (command.buffer != null) {
            return command.buffer.wire().capacity() >= bytes;
        }
        BufferPool.Buffer buffer = group.pool().take(bytes);
        if (buffer == null) {
            return false;
        }
        command.buffer = buffer;
        command.fabric.data(buffer.wire().segment());
        return true;
    }

    @Override
    public void fetch(FabricCommand fabric) {
        TcpCommand command = (TcpCommand) fabric.transportContext();
        if (state == State.CLOSED || socketFailed) {
            return;
        }
        int commandId = commandId(fabric);
        ledger.grow(slots.made());
        ledger.open(fabric.slot(), commandId, 0, fabric.dataBytes());
        int length =
                writer.r2t(command.headers, TcpCommand.R2T_OFFSET, commandId, fabric.slot(), 0, fabric.dataBytes());
        send.add(part(command.r2tPart, TcpCommand.R2T_OFFSET, length), null);
        afterAdd();
    }

    @Override
    public void complete(FabricCommand fabric) {
        TcpCommand command = (TcpCommand) fabric.transportContext();
        if (state == State.CLOSED || socketFailed) {
            slots.release(command);
            return;
        }
        command.holder = TcpCommand.Holder.SENDER;
        if (fabric.dataToHostBytes() == 0) {
            addResponse(command, TcpCommand.TRAILER_OFFSET);
        } else {
            addDataAndResponse(command);
        }
        afterAdd();
    }

    private void addDataAndResponse(TcpCommand command) {
        FabricCommand fabric = command.fabric;
        WireBuffer wire = command.buffer.wire();
        int bytes = fabric.dataToHostBytes();
        boolean success = mayLeaveOutResponse(fabric.cqe());
        int headerLength = writer.c2hData(
                command.headers,
                TcpCommand.DATA_HEADER_OFFSET,
                commandId(fabric),
                0,
                bytes,
                success ? PduWriter.Position.LAST_AND_SUCCESS : PduWriter.Position.LAST);
        int digestLength = writer.dataDigest(command.headers, TcpCommand.TRAILER_OFFSET, wire, 0, bytes);
        send.add(part(command.dataHeaderPart, TcpCommand.DATA_HEADER_OFFSET, headerLength), null);
        boolean dataIsLast = success && digestLength == 0;
        send.add(part(wire.bytes(), 0, bytes), dataIsLast ? command : null);
        if (dataIsLast) {
            return;
        }
        if (success) {
            send.add(part(command.trailerPart, TcpCommand.TRAILER_OFFSET, digestLength), command);
        } else {
            addResponse(command, TcpCommand.TRAILER_OFFSET + digestLength);
        }
    }

    /** The part begins where the trailer begins, so that a digest before the response goes with it. */
    private void addResponse(TcpCommand command, int at) {
        int length = writer.capsuleResp(command.headers, at, command.fabric.cqe(), 0);
        int end = at + length;
        send.add(part(command.trailerPart, TcpCommand.TRAILER_OFFSET, end - TcpCommand.TRAILER_OFFSET), command);
    }

    /**
     * C2HData may stand for the response only when submission queue flow control is off, which the target shows as SQHD FFFFh, and
     * when there is nothing else to tell (TCP Transport 1.0, section 3.3.2.2).
     */
    private static boolean mayLeaveOutResponse(MemorySegment cqe) {
        return (cqe.get(U16, 8) & 0xFFFF) == 0xFFFF
                && (cqe.get(U16, 14) & 0xFFFE) == 0
                && cqe.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) == 0;
    }

    private static int commandId(FabricCommand fabric) {
        return fabric.sqe().get(U16, 2) & 0xFFFF;
    }

    private static ByteBuffer part(ByteBuffer view, int at, int length) {
        return view.limit(at + length).position(at);
    }

    private void addControl(int at, int length) {
        send.add(control.bytes().slice(at, length), null);
    }

    private void afterAdd() {
        if (send.pendingBytes() >= FLUSH_BYTES) {
            flush();
        }
        group.markDirty(this);
    }

    @Override
    public void disconnect() {
        if (state == State.HANDSHAKE || state == State.READY) {
            state = State.FLUSHING;
            group.markDirty(this);
        }
    }

    @Override
    public String peerAddress() {
        return peerAddress;
    }

    // How it ends.

    private void terminate(PduFault fault) {
        LOG.log(
                Level.INFO,
                () -> peerAddress + " is terminated: " + fault.error() + " " + fault.information() + ", "
                        + fault.getMessage());
        int length = writer.termReq(
                control,
                ICRESP_BYTES,
                PduDirection.CONTROLLER_TO_HOST,
                fault,
                reader.header(),
                reader.headerBytesArrived());
        boolean mayBeTold = state == State.HANDSHAKE || state == State.READY;
        detach();
        if (mayBeTold) {
            addControl(ICRESP_BYTES, length);
            state = State.TERMINATING;
            deadlineNanos = group.nowNanos() + TERMINATION_NANOS;
        } else {
            state = State.FLUSHING;
        }
    }

    /** The target will not be called again, and gives back all that no device uses and nothing sends. */
    private void detach() {
        TargetQueue leaving = queue;
        queue = null;
        current = null;
        if (leaving != null) {
            leaving.onDisconnect();
        }
        for (int slot = 0; slot < slots.made(); slot++) {
            TcpCommand command = slots.get(slot);
            if (command.holder == TcpCommand.Holder.TARGET && command.atDevice == 0) {
                slots.release(command);
            }
        }
    }

    /** Closes now. Not to be called from within a call of the target. */
    void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> peerAddress + ": closing failed: " + e.getMessage());
        }
        send.clear(slots);
        detach();
        group.onClosed(this);
    }

    /** A device ended an operation. */
    void onDeviceDone(TcpCommand command, io.fairlead.nvme.target.DeviceStatus status) {
        command.atDevice--;
        if (queue != null) {
            command.fabric.queue().onDeviceDone(command.fabric, status);
        } else if (command.atDevice == 0 && command.holder == TcpCommand.Holder.TARGET) {
            slots.release(command);
        }
    }

    void onTick(long nowNanos) {
        switch (state) {
            case HANDSHAKE, TERMINATING -> closeIfOver(nowNanos, deadlineNanos);
            case READY -> {
                if (!sawCommand) {
                    closeIfOver(nowNanos, deadlineNanos);
                }
                if (state == State.READY && (hasOutput() || !reader.isBetweenPdus())) {
                    closeIfOver(
                            nowNanos, progressNanos + settings.stallTimeout().toNanos());
                }
                if (state == State.READY) {
                    queue.onTick(nowNanos);
                }
            }
            case FLUSHING -> closeIfOver(nowNanos, progressNanos + TERMINATION_NANOS);
            case CLOSED -> {
                // Waits for a device.
            }
        }
    }

    private void closeIfOver(long nowNanos, long overNanos) {
        if (nowNanos - overNanos > 0) {
            LOG.log(Level.INFO, () -> peerAddress + " is closed: it took too long in state " + state);
            close();
        }
    }
}
