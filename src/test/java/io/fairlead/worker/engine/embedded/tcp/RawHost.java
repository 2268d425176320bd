package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.tcp.CapsuleResp;
import io.fairlead.nvme.tcp.CommonHeader;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduDirection;
import io.fairlead.nvme.tcp.PduFault;
import io.fairlead.nvme.tcp.PduHandler;
import io.fairlead.nvme.tcp.PduReader;
import io.fairlead.nvme.tcp.PduType;
import io.fairlead.nvme.tcp.PduWriter;
import io.fairlead.nvme.tcp.R2t;
import io.fairlead.nvme.tcp.TermReq;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** A host that speaks PDUs over a blocking socket and can be told to send anything. */
public final class RawHost implements AutoCloseable, PduHandler {

    private static final int TIMEOUT_MILLIS = 20_000;

    /** A PDU that came from the controller. */
    public record Received(PduType type, ByteBuffer header, byte[] data) {

        /** Status field of a response, without the phase bit. */
        public int status() {
            return (header.getShort(CapsuleResp.CQE_OFFSET + 14) & 0xFFFF) >> 1;
        }

        public int commandId() {
            return header.getShort(type == PduType.CAPSULE_RESP ? CapsuleResp.CQE_OFFSET + 12 : R2t.CCCID_OFFSET)
                    & 0xFFFF;
        }

        public int flags() {
            return header.get(CommonHeader.FLAGS_OFFSET);
        }

        public int fatalError() {
            return header.getShort(TermReq.FES_OFFSET);
        }

        public int fatalInformation() {
            return header.getInt(TermReq.FEI_OFFSET);
        }
    }

    private final Socket socket = new Socket();
    private final PduReader reader = new PduReader(PduDirection.CONTROLLER_TO_HOST, this, 0, 1 << 20);
    public final PduWriter writer = new PduWriter();
    public final WireBuffer out = WireBuffer.allocate(1 << 20);
    private final WireBuffer in = WireBuffer.allocate(65536);
    private final WireBuffer data = WireBuffer.allocate(1 << 20);
    private final Deque<Received> received = new ArrayDeque<>();
    private Digests asked = Digests.NONE;

    public RawHost(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(address, TIMEOUT_MILLIS);
    }

    /** Connects and shakes hands. */
    public static RawHost open(InetSocketAddress address, Digests digests) throws IOException, PduFault {
        RawHost host = new RawHost(address);
        host.handshake(digests);
        return host;
    }

    public Received handshake(Digests digests) throws IOException, PduFault {
        asked = digests;
        send(writer.icReq(out, 0, 0, digests, 0));
        Received response = receive();
        writer.onHandshakeDone(digests, 4);
        return response;
    }

    /** Sends the first bytes of {@link #out}. */
    public void send(int length) throws IOException {
        byte[] bytes = new byte[length];
        out.bytes().get(0, bytes);
        send(bytes);
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** A submission queue entry of the I/O kind. */
    public static WireBuffer sqe(int opcode, int commandId, int block, int blocks) {
        WireBuffer sqe = WireBuffer.allocate(64);
        sqe.bytes().put(0, (byte) opcode).putShort(2, (short) commandId);
        sqe.bytes().putInt(40, block).putShort(48, (short) (blocks - 1));
        return sqe;
    }

    /** Connect; {@code controller} is FFFFh on the admin queue. */
    public static WireBuffer connect(int qid, int sqSize, int controller) {
        WireBuffer sqe = WireBuffer.allocate(64);
        sqe.bytes().put(0, (byte) 0x7F).put(1, (byte) 0x40).put(4, (byte) 1);
        sqe.bytes().putInt(32, 1024).put(39, (byte) 1);
        sqe.bytes().putShort(42, (short) qid).putShort(44, (short) sqSize);
        sqe.bytes().putInt(48, controller == 0xFFFF ? 30_000 : 0);
        return sqe;
    }

    /** The data of Connect, of a host whose identifier is always the same. */
    public static byte[] connectData(int controller, String subsystemNqn, String hostNqn) {
        WireBuffer data = WireBuffer.allocate(1024);
        data.bytes().put(7, (byte) 1).put(15, (byte) 2).putShort(16, (short) controller);
        data.bytes().put(256, subsystemNqn.getBytes(StandardCharsets.US_ASCII));
        data.bytes().put(512, hostNqn.getBytes(StandardCharsets.US_ASCII));
        byte[] bytes = new byte[1024];
        data.bytes().get(0, bytes);
        return bytes;
    }

    /** Property Set of four bytes. */
    public static WireBuffer propertySet(int offset, int value) {
        WireBuffer sqe = WireBuffer.allocate(64);
        sqe.bytes().put(0, (byte) 0x7F).put(1, (byte) 0x40).put(4, (byte) 0);
        sqe.bytes().putInt(44, offset).putInt(48, value);
        return sqe;
    }

    /** Gives a read or write of namespace 1 the descriptor that a real host would. */
    public static WireBuffer described(WireBuffer sqe, int bytes, int inCapsule) {
        sqe.bytes().put(1, (byte) 0x40).putInt(4, 1);
        sqe.bytes().putLong(24, 0).putInt(32, bytes).putInt(36, 0).put(39, (byte) (inCapsule > 0 ? 0x01 : 0x5A));
        return sqe;
    }

    /** Writes a command capsule into {@link #out} at the offset; returns where it ends. */
    public int putCommand(int at, WireBuffer sqe, byte[] inCapsule) {
        int end = at + writer.capsuleCmd(out, at, sqe.segment(), 0, inCapsule.length);
        if (inCapsule.length > 0) {
            out.bytes().put(end, inCapsule);
            end += inCapsule.length;
            end += writer.dataDigest(out, end, out, end - inCapsule.length, inCapsule.length);
        }
        return end;
    }

    public void command(WireBuffer sqe, byte... inCapsule) throws IOException {
        send(putCommand(0, sqe, inCapsule));
    }

    /** Writes an H2CData into {@link #out} at the offset; returns where it ends. */
    public int putData(
            int at,
            int commandId,
            int tag,
            int dataOffset,
            byte[] bytes,
            int from,
            int length,
            PduWriter.Position position) {
        int end = at + writer.h2cData(out, at, commandId, tag, dataOffset, length, position);
        out.bytes().put(end, bytes, from, length);
        end += length;
        return end + writer.dataDigest(out, end, out, end - length, length);
    }

    /** Answers an R2T, in PDUs of at most {@code pieceBytes}. */
    public void answer(Received r2t, byte[] bytes, int pieceBytes) throws IOException {
        int from = r2t.header().getInt(R2t.R2TO_OFFSET);
        int end = from + r2t.header().getInt(R2t.R2TL_OFFSET);
        int tag = r2t.header().getShort(R2t.TTAG_OFFSET) & 0xFFFF;
        while (from < end) {
            int length = Math.min(pieceBytes, end - from);
            PduWriter.Position position =
                    from + length == end ? PduWriter.Position.LAST : PduWriter.Position.MORE_FOLLOW;
            send(putData(0, r2t.commandId(), tag, from, bytes, from, length, position));
            from += length;
        }
    }

    /** The next PDU; {@link EOFException} when the controller closed. */
    public Received receive() throws IOException, PduFault {
        byte[] buffer = new byte[in.capacity()];
        while (received.isEmpty()) {
            int got = socket.getInputStream().read(buffer);
            if (got < 0) {
                throw new EOFException("closed by the controller");
            }
            in.bytes().put(0, buffer, 0, got);
            reader.read(in, 0, got);
        }
        return received.remove();
    }

    /** Whether the controller closes the connection after what it has sent. */
    public boolean isClosedByController() throws PduFault {
        try {
            while (true) {
                receive();
            }
        } catch (IOException e) {
            return e instanceof EOFException || "Connection reset".equals(e.getMessage());
        }
    }

    @Override
    public void onHeader(PduReader pdu) {
        if (pdu.dataBytes() > 0) {
            pdu.dataInto(data, 0);
        }
    }

    @Override
    public void onPdu(PduReader pdu) {
        byte[] header = new byte[pdu.type().headerBytes()];
        pdu.header().asByteBuffer().get(0, header);
        byte[] bytes = new byte[pdu.dataBytes()];
        data.bytes().get(0, bytes);
        if (!pdu.dataDigestMatches()) {
            throw new AssertionError("the controller sent a wrong data digest");
        }
        if (pdu.type() == PduType.IC_RESP) {
            pdu.onHandshakeDone(asked, 4);
        }
        received.add(new Received(pdu.type(), ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN), bytes));
    }

    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
