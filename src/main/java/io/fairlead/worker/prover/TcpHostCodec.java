package io.fairlead.worker.prover;

import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.HostCommand.Transfer;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.tcp.C2hData;
import io.fairlead.nvme.tcp.CapsuleResp;
import io.fairlead.nvme.tcp.CommonHeader;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.FatalError;
import io.fairlead.nvme.tcp.IcResp;
import io.fairlead.nvme.tcp.PduDirection;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduHandler;
import io.fairlead.nvme.tcp.PduReader;
import io.fairlead.nvme.tcp.PduType;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.R2t;
import io.fairlead.nvme.tcp.TermReq;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * What a host says and hears on one NVMe/TCP connection (NVMe/TCP Transport Specification 1.0): commands go out as capsules with data
 * inside or, after an R2T, as H2CData; data and completions come back. Owned by the queue's thread.
 */
final class TcpHostCodec implements PduHandler {

    /** Told of each completion. */
    interface CompletionListener {
        void onCompleted(PendingCommand pending, Completion completion);
    }

    /** A PDU with data that the controller asked for, waiting for room in the output. */
    private record DueData(
            PendingCommand pending, int transferTag, int offset, int length, PduWriter.Position position) {}

    private static final int IO_BUFFER_BYTES = 512 << 10;
    /** No H2CData is longer, however much the controller would take. */
    private static final int H2C_BYTES_MAX = 128 << 10;
    /** What a controller has to take in the capsule of an admin or Fabrics command (NVMe/TCP 1.0, section 3.3.2.2). */
    private static final int FABRICS_IN_CAPSULE_BYTES = 8192;

    private static final int GENERATION_SHIFT = 12;
    private static final int GENERATION_MASK = 0xF;
    private static final int FLAGS_OFFSET = 1;
    /** PSDT 01b: the data pointer is an SGL. */
    private static final int FLAG_SGL = 0x40;

    private static final int COMMAND_ID_OFFSET = 2;
    private static final int SGL_ADDRESS_OFFSET = 24;
    private static final int SGL_LENGTH_OFFSET = 32;
    private static final int SGL_TYPE_OFFSET = 39;
    private static final int SGL_DATA_BLOCK_OFFSET = 0x01;
    private static final int SGL_TRANSPORT_DATA_BLOCK = 0x5A;
    /** Transient Transport Error: the data did not arrive as it was sent. */
    private static final int STATUS_TRANSIENT_TRANSPORT_ERROR = 0x22;

    private static final ValueLayout.OfShort LE16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LE32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final QueueShape shape;
    private final Digests digests;
    private final CompletionListener listener;
    private final PduReader reader;
    private final PduWriter writer = new PduWriter();
    private final WireBuffer input = WireBuffer.allocate(IO_BUFFER_BYTES);
    private final WireBuffer output = WireBuffer.allocate(IO_BUFFER_BYTES);
    private final PendingCommand[] slots;
    private final WireBuffer[] staging;
    private final int[] generations;
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final ArrayDeque<PendingCommand> dueCapsules = new ArrayDeque<>();
    private final ArrayDeque<DueData> dueData = new ArrayDeque<>();
    private int outputEnd;
    private int maxH2cDataBytes;
    private boolean ready;
    private InitiatorFault terminated;

    TcpHostCodec(QueueShape shape, Digests digests, CompletionListener listener) {
        this.shape = shape;
        this.digests = digests;
        this.listener = listener;
        this.reader = new PduReader(PduDirection.CONTROLLER_TO_HOST, this, 0, shape.transferBytesMax());
        this.slots = new PendingCommand[shape.depth()];
        this.staging = new WireBuffer[shape.depth()];
        this.generations = new int[shape.depth()];
        for (int slot = 0; slot < shape.depth(); slot++) {
            freeSlots.add(slot);
        }
    }

    boolean isReady() {
        return ready;
    }

    void startHandshake() {
        outputEnd += writer.icReq(output, 0, 0, digests, 0);
    }

    /** Takes a command up. The caller sees to it that no more are in flight than there are entries. */
    void start(PendingCommand pending) {
        int slot = freeSlots.remove();
        generations[slot] = (generations[slot] + 1) & GENERATION_MASK;
        pending.slot = slot;
        pending.commandId = slot | generations[slot] << GENERATION_SHIFT;
        slots[slot] = pending;
        dueCapsules.add(pending);
    }

    long earliestDeadlineNanos() {
        long earliest = Long.MAX_VALUE;
        for (PendingCommand pending : slots) {
            if (pending != null) {
                earliest = Math.min(earliest, pending.deadlineNanos);
            }
        }
        return earliest;
    }

    void failAll(InitiatorFault fault) {
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] != null) {
                slots[slot].future.completeExceptionally(fault);
                slots[slot] = null;
            }
        }
    }

    /** Encodes what is due, for as long as the output has room. Data that a controller waits for goes before new commands. */
    void encodePending() {
        while (!dueData.isEmpty() && hasRoom(dueData.peek().length())) {
            encode(dueData.remove());
        }
        while (!dueCapsules.isEmpty() && hasRoom(inCapsuleBytes(dueCapsules.peek().command))) {
            encode(dueCapsules.remove());
        }
    }

    private boolean hasRoom(int dataBytes) {
        return outputEnd + PduWriter.HEADER_BYTES_MAX + dataBytes + CommonHeader.DIGEST_BYTES <= output.capacity();
    }

    private int inCapsuleBytes(HostCommand command) {
        if (command.transfer() != Transfer.TO_CONTROLLER) {
            return 0;
        }
        long bytes = command.data().byteSize();
        int limit = command.isFabrics() ? FABRICS_IN_CAPSULE_BYTES : shape.inCapsuleBytesMax();
        return bytes <= limit ? (int) bytes : 0;
    }

    private void encode(PendingCommand pending) {
        HostCommand command = pending.command;
        int inCapsule = inCapsuleBytes(command);
        MemorySegment sqe = command.sqe();
        sqe.set(ValueLayout.JAVA_BYTE, FLAGS_OFFSET, (byte) FLAG_SGL);
        sqe.set(LE16, COMMAND_ID_OFFSET, (short) pending.commandId);
        sqe.set(ValueLayout.JAVA_LONG_UNALIGNED, SGL_ADDRESS_OFFSET, 0L);
        sqe.set(LE32, SGL_LENGTH_OFFSET, (int) command.data().byteSize());
        sqe.set(ValueLayout.JAVA_BYTE, SGL_TYPE_OFFSET, (byte)
                (inCapsule > 0 ? SGL_DATA_BLOCK_OFFSET : SGL_TRANSPORT_DATA_BLOCK));
        outputEnd += writer.capsuleCmd(output, outputEnd, sqe, 0, inCapsule);
        appendData(command.data(), 0, inCapsule);
    }

    private void encode(DueData due) {
        if (slots[due.pending().slot] != due.pending()) {
            // The controller completed the command without waiting for all of its data.
            return;
        }
        if (due.position() == PduWriter.Position.LAST) {
            due.pending().readyToTransfer = false;
        }
        outputEnd += writer.h2cData(
                output,
                outputEnd,
                due.pending().commandId,
                due.transferTag(),
                due.offset(),
                due.length(),
                due.position());
        appendData(due.pending().command.data(), due.offset(), due.length());
    }

    private void appendData(MemorySegment data, int offset, int bytes) {
        if (bytes == 0) {
            return;
        }
        MemorySegment.copy(data, offset, output.segment(), outputEnd, bytes);
        int digestAt = outputEnd + bytes;
        outputEnd = digestAt + writer.dataDigest(output, digestAt, output, outputEnd, bytes);
    }

    /** Writes what is encoded; true when all of it, and all that is due, has gone. */
    boolean writeTo(SocketChannel channel) throws IOException {
        ByteBuffer bytes = output.bytes();
        if (outputEnd > 0) {
            bytes.limit(outputEnd).position(0);
            channel.write(bytes);
            bytes.compact();
            outputEnd = bytes.position();
        }
        return outputEnd == 0 && dueData.isEmpty() && dueCapsules.isEmpty();
    }

    /** Reads what has come. */
    void readFrom(SocketChannel channel, String peer) throws IOException, PduFault, InitiatorFault {
        while (true) {
            int count = channel.read(input.bytes().clear());
            if (count < 0) {
                throw InitiatorFault.of(
                        Kind.CONNECTION_LOST,
                        ready
                                ? "The controller at " + peer + " closed the connection."
                                : "The other side at " + peer
                                        + " closed the connection before it had answered the NVMe/TCP handshake.");
            }
            if (count == 0) {
                return;
            }
            reader.read(input, 0, count);
            if (terminated != null) {
                throw terminated;
            }
        }
    }

    @Override
    public void onHeader(PduReader pdu) throws PduFault {
        if (pdu.type() == PduType.C2H_DATA) {
            onDataHeader(pdu);
        }
    }

    private void onDataHeader(PduReader pdu) throws PduFault {
        PendingCommand pending = pendingOf(C2hData.commandId(pdu.header(), 0), C2hData.CCCID_OFFSET);
        long offset = C2hData.dataOffset(pdu.header(), 0);
        if (pending.command.transfer() != Transfer.TO_HOST
                || offset + pdu.dataBytes() > pending.command.data().byteSize()) {
            throw PduFault.invalidField(C2hData.DATAO_OFFSET, "data came that the command did not ask for");
        }
        if (staging[pending.slot] == null) {
            staging[pending.slot] = WireBuffer.allocate(shape.transferBytesMax());
        }
        pdu.dataInto(staging[pending.slot], (int) offset);
    }

    @Override
    public void onPdu(PduReader pdu) throws PduFault {
        switch (pdu.type()) {
            case IC_RESP -> onIcResp(pdu);
            case C2H_DATA -> onData(pdu);
            case R2T -> onR2t(pdu);
            case CAPSULE_RESP -> onResponse(pdu);
            case C2H_TERM_REQ -> onTermination(pdu);
            case IC_REQ, H2C_TERM_REQ, CAPSULE_CMD, H2C_DATA ->
                throw new IllegalStateException("the reader lets no PDU of the host through");
        }
    }

    private void onIcResp(PduReader pdu) throws PduFault {
        Digests agreed = IcResp.digests(pdu.header(), 0);
        if (agreed != digests) {
            throw PduFault.unsupported(IcResp.DGST_OFFSET, "the digests are not the ones that were asked for");
        }
        maxH2cDataBytes = (int) Math.min(IcResp.maxH2cData(pdu.header(), 0), H2C_BYTES_MAX);
        reader.onHandshakeDone(agreed, 4);
        writer.onHandshakeDone(agreed, (IcResp.controllerDataAlignment(pdu.header(), 0) + 1) * 4);
        ready = true;
    }

    private void onData(PduReader pdu) throws PduFault {
        PendingCommand pending = pendingOf(C2hData.commandId(pdu.header(), 0), C2hData.CCCID_OFFSET);
        pending.dataBytesArrived += pdu.dataBytes();
        pending.dataDamaged |= !pdu.dataDigestMatches();
        int flags = pdu.flags();
        if ((flags & CommonHeader.FLAG_SUCCESS) != 0) {
            if ((flags & CommonHeader.FLAG_LAST_PDU) == 0) {
                throw PduFault.invalidField(CommonHeader.FLAGS_OFFSET, "success before the last data");
            }
            finish(pending, new Completion(0, 0, pending.dataBytesArrived));
        }
    }

    private void onR2t(PduReader pdu) throws PduFault {
        PendingCommand pending = pendingOf(R2t.commandId(pdu.header(), 0), R2t.CCCID_OFFSET);
        long offset = R2t.dataOffset(pdu.header(), 0);
        long length = R2t.dataLength(pdu.header(), 0);
        if (pending.command.transfer() != Transfer.TO_CONTROLLER
                || offset + length > pending.command.data().byteSize()) {
            throw PduFault.invalidField(R2t.R2TO_OFFSET, "data is asked for that the command does not have");
        }
        if (pending.readyToTransfer) {
            throw PduFault.of(FatalError.TRANSFER_LIMIT_EXCEEDED, "a second R2T came where one at a time was agreed");
        }
        pending.readyToTransfer = true;
        int tag = R2t.transferTag(pdu.header(), 0);
        for (long done = 0; done < length; ) {
            int part = (int) Math.min(maxH2cDataBytes, length - done);
            boolean last = done + part == length;
            dueData.add(new DueData(
                    pending,
                    tag,
                    (int) (offset + done),
                    part,
                    last ? PduWriter.Position.LAST : PduWriter.Position.MORE_FOLLOW));
            done += part;
        }
    }

    private void onResponse(PduReader pdu) throws PduFault {
        MemorySegment header = pdu.header();
        int commandId = Short.toUnsignedInt(header.get(LE16, CapsuleResp.CQE_OFFSET + 12L));
        PendingCommand pending = pendingOf(commandId, CapsuleResp.CQE_OFFSET + 12);
        finish(pending, Completion.of(header, CapsuleResp.CQE_OFFSET, pending.dataBytesArrived));
    }

    private void finish(PendingCommand pending, Completion completion) {
        slots[pending.slot] = null;
        freeSlots.add(pending.slot);
        Completion told = completion;
        if (pending.dataDamaged && completion.succeeded()) {
            told = new Completion(completion.result(), STATUS_TRANSIENT_TRANSPORT_ERROR, completion.dataBytes());
        } else if (pending.command.transfer() == Transfer.TO_HOST && pending.dataBytesArrived > 0) {
            long bytes =
                    Math.min(pending.dataBytesArrived, pending.command.data().byteSize());
            MemorySegment.copy(staging[pending.slot].segment(), 0, pending.command.data(), 0, bytes);
        }
        listener.onCompleted(pending, told);
    }

    private void onTermination(PduReader pdu) {
        terminated = InitiatorFault.of(
                Kind.TRANSPORT_BROKEN,
                "The controller ended the connection: fatal error %d, information %d."
                        .formatted(TermReq.fatalError(pdu.header(), 0), TermReq.information(pdu.header(), 0)));
    }

    private PendingCommand pendingOf(int commandId, int field) throws PduFault {
        int slot = commandId & ((1 << GENERATION_SHIFT) - 1);
        PendingCommand pending = slot < slots.length ? slots[slot] : null;
        if (pending == null || pending.commandId != commandId) {
            throw PduFault.invalidField(field, "no command with this identifier is outstanding");
        }
        return pending;
    }
}
