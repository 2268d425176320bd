package io.fairlead.nvme.target;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A transport without a network, for tests of the target. It keeps the contract of {@link FabricTransport} and checks that the target
 * keeps its own: a command completes once, nothing comes after the end, no data leaves that lies outside of the buffer. A breach throws
 * out of the call that made it.
 */
public final class LoopbackTransport implements FabricTransport {

    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** What a buffer of the pool holds before it is used, so that a leak of old data shows. */
    private static final byte STALE = (byte) 0xA5;

    /** How the host's data gets to the target. */
    public enum Delivery {
        IN_CAPSULE,
        WHEN_FETCHED
    }

    /** Whether fetched data arrives during the call or when the test says so. */
    public enum Network {
        IMMEDIATE,
        HELD
    }

    private final PollGroup group;
    private final String peerAddress;
    private final Arena arena = Arena.ofAuto();
    private final Deque<FabricCommand> free = new ArrayDeque<>();
    private final List<Exchange> inFlight = new ArrayList<>();
    private final Deque<Exchange> fetching = new ArrayDeque<>();
    private TargetQueue queue;
    private Network network = Network.IMMEDIATE;
    private int buffersLeft = Integer.MAX_VALUE;
    private boolean closing;
    private boolean closed;

    public LoopbackTransport(PollGroup group, int slots, String peerAddress) {
        this.group = group;
        this.peerAddress = peerAddress;
        for (int slot = 0; slot < slots; slot++) {
            free.add(new FabricCommand(slot, arena));
        }
    }

    PollGroup group() {
        return group;
    }

    public void attach(TargetQueue target) {
        this.queue = target;
    }

    public void network(Network mode) {
        this.network = mode;
    }

    public void buffersLeft(int buffers) {
        this.buffersLeft = buffers;
    }

    /** Sends a command; its entry may be longer lived than the call. */
    public Exchange submit(MemorySegment sqe, byte[] data, Delivery delivery) {
        FabricCommand command = take();
        MemorySegment.copy(sqe, 0, command.sqe(), 0, FabricCommand.SQE_BYTES);
        Exchange exchange = new Exchange(command, data, cid(command.sqe()));
        command.transportContext(exchange);
        inFlight.add(exchange);
        if (delivery == Delivery.IN_CAPSULE && data.length > 0) {
            MemorySegment buffer = stale(data.length);
            MemorySegment.copy(data, 0, buffer, ValueLayout.JAVA_BYTE, 0, data.length);
            command.data(buffer);
            command.inCapsuleBytes(data.length);
        }
        queue.onCommand(command);
        return exchange;
    }

    /** The same, with the data lost on its way in the capsule. */
    public Exchange submitLost(MemorySegment sqe, TargetQueue.DataLoss loss) {
        FabricCommand command = take();
        MemorySegment.copy(sqe, 0, command.sqe(), 0, FabricCommand.SQE_BYTES);
        Exchange exchange = new Exchange(command, new byte[0], cid(command.sqe()));
        command.transportContext(exchange);
        inFlight.add(exchange);
        queue.onDataLost(command, loss);
        return exchange;
    }

    private FabricCommand take() {
        FabricCommand command = free.poll();
        if (command == null) {
            throw new IllegalStateException("the test has more commands in flight than the transport has slots");
        }
        command.reset();
        return command;
    }

    private static int cid(MemorySegment sqe) {
        return Short.toUnsignedInt(sqe.get(U16, 2));
    }

    private MemorySegment stale(int bytes) {
        MemorySegment buffer = arena.allocate(Math.max(bytes, 1), 4096);
        buffer.fill(STALE);
        return buffer;
    }

    /** Lets the oldest fetch that is held arrive. */
    public void deliverFetched() {
        arrive(fetching.remove());
    }

    /** The oldest fetch that is held arrives damaged. */
    public void loseFetched(TargetQueue.DataLoss loss) {
        queue.onDataLost(fetching.remove().command, loss);
    }

    public int fetchesHeld() {
        return fetching.size();
    }

    private void arrive(Exchange exchange) {
        FabricCommand command = exchange.command;
        int bytes = Math.min(exchange.hostData.length, command.dataBytes());
        MemorySegment.copy(exchange.hostData, 0, command.data(), ValueLayout.JAVA_BYTE, 0, bytes);
        queue.onData(command);
    }

    /** The host closes the connection. */
    public void hangUp() {
        if (closed) {
            return;
        }
        closed = true;
        inFlight.forEach(exchange -> exchange.abandoned = true);
        fetching.clear();
        queue.onDisconnect();
    }

    /** Whether the target asked for the connection to be closed. */
    public boolean isClosedByTarget() {
        return closing;
    }

    public boolean isClosed() {
        return closed;
    }

    public List<Exchange> inFlight() {
        return List.copyOf(inFlight);
    }

    private void requireOpen() {
        if (closed) {
            throw new AssertionError("the target called after onDisconnect");
        }
    }

    @Override
    public boolean takeBuffer(FabricCommand command, int bytes) {
        requireOpen();
        if (buffersLeft == 0) {
            return false;
        }
        buffersLeft--;
        command.data(stale(bytes));
        return true;
    }

    @Override
    public void fetch(FabricCommand command) {
        requireOpen();
        if (command.dataBytes() <= 0 || command.dataBytes() > command.data().byteSize()) {
            throw new AssertionError("fetch of " + command.dataBytes() + " bytes into " + command.data());
        }
        Exchange exchange = (Exchange) command.transportContext();
        switch (network) {
            case IMMEDIATE -> arrive(exchange);
            case HELD -> fetching.add(exchange);
        }
    }

    @Override
    public void complete(FabricCommand command) {
        requireOpen();
        Exchange exchange = (Exchange) command.transportContext();
        if (!inFlight.remove(exchange)) {
            throw new AssertionError("completed twice: " + exchange);
        }
        if (command.dataToHostBytes() > command.data().byteSize()) {
            throw new AssertionError("sends more than its buffer: " + command.dataToHostBytes());
        }
        exchange.onComplete();
        if (exchange.status() != 0 && command.dataToHostBytes() > 0) {
            throw new AssertionError("sends data with a failure: " + exchange);
        }
        if (exchange.cqeCid() != exchange.cid) {
            throw new AssertionError("completed with another command identifier: " + exchange);
        }
        free.add(command);
    }

    @Override
    public void disconnect() {
        requireOpen();
        if (!closing) {
            closing = true;
            group.execute(this::hangUp);
        }
    }

    @Override
    public String peerAddress() {
        return peerAddress;
    }

    /** A command and what became of it. */
    public static final class Exchange {

        private final FabricCommand command;
        private final byte[] hostData;
        private final int cid;
        private byte[] received = {};
        private byte[] cqe = {};
        private boolean abandoned;

        private Exchange(FabricCommand command, byte[] hostData, int cid) {
            this.command = command;
            this.hostData = hostData;
            this.cid = cid;
        }

        private void onComplete() {
            cqe = command.cqe().toArray(ValueLayout.JAVA_BYTE);
            if (command.dataToHostBytes() > 0) {
                received = command.data().asSlice(0, command.dataToHostBytes()).toArray(ValueLayout.JAVA_BYTE);
            }
        }

        public boolean isDone() {
            return cqe.length > 0;
        }

        boolean isAbandoned() {
            return abandoned;
        }

        private MemorySegment entry() {
            if (!isDone()) {
                throw new AssertionError("not completed: " + this);
            }
            return MemorySegment.ofArray(cqe);
        }

        /** SCT in bits 10:8, SC in bits 7:0; without DNR. */
        public int status() {
            return Short.toUnsignedInt(entry().get(U16, 14)) >>> 1 & 0x7FF;
        }

        public boolean mustNotRetry() {
            return (entry().get(U16, 14) & 1 << 15) != 0;
        }

        public long result() {
            return entry().get(U64, 0);
        }

        public int sqhd() {
            return Short.toUnsignedInt(entry().get(U16, 8));
        }

        private int cqeCid() {
            return Short.toUnsignedInt(entry().get(U16, 12));
        }

        public MemorySegment completionEntry() {
            return entry();
        }

        /** What came from the target. */
        public byte[] received() {
            return received;
        }

        public MemorySegment receivedSegment() {
            return MemorySegment.ofArray(received);
        }

        @Override
        public String toString() {
            return "cid %04x opcode %02x".formatted(cid, command.sqe().get(ValueLayout.JAVA_BYTE, 0));
        }
    }
}
