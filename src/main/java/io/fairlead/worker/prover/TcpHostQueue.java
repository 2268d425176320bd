package io.fairlead.worker.prover;

import io.fairlead.nvme.initiator.AdminCommands;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.HostQueue;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.tcp.Digests;
import io.fairlead.nvme.tcp.PduFault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One NVMe/TCP connection of a host, which is one queue. A thread of its own owns the socket, the codec and all commands in flight;
 * {@link #submit} and {@link #execute} may be called from any thread. A command that is not answered before its deadline ends the
 * connection, as it would end a Linux host's, so that nothing ever waits for ever.
 */
final class TcpHostQueue implements HostQueue, AutoCloseable {

    private final InetSocketAddress address;
    private final QueueShape shape;
    private final LongSupplier nanoTime;
    private final long commandTimeoutNanos;
    private final SocketChannel channel;
    private final Selector selector;
    private final Semaphore freeEntries;
    private final ConcurrentLinkedQueue<PendingCommand> submitted = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Thread thread;
    private final TcpHostCodec codec;

    /** Everything that is not finished by then fails; {@link Long#MAX_VALUE} once the whole connection is ready. */
    private volatile long ceilingNanos;

    private volatile boolean closing;
    private volatile InitiatorFault broken;
    private long nextKeepAliveNanos;

    private TcpHostQueue(
            InetSocketAddress address,
            QueueShape shape,
            Digests digests,
            long commandTimeoutNanos,
            long ceilingNanos,
            LongSupplier nanoTime)
            throws IOException {
        this.address = address;
        this.shape = shape;
        this.nanoTime = nanoTime;
        this.commandTimeoutNanos = commandTimeoutNanos;
        this.ceilingNanos = ceilingNanos;
        this.freeEntries = new Semaphore(shape.depth() - 1);
        this.codec = new TcpHostCodec(shape, digests, this::onCompleted);
        this.selector = Selector.open();
        this.channel = SocketChannel.open();
        this.thread = Thread.ofPlatform().daemon().name("nvme-host-" + address).unstarted(this::run);
    }

    /**
     * Opens the connection and shakes hands.
     *
     * @param ceilingNanos when this and everything else has to be done, until {@link #liftCeiling()}
     */
    static TcpHostQueue open(
            InetSocketAddress address,
            QueueShape shape,
            Digests digests,
            long commandTimeoutNanos,
            long ceilingNanos,
            LongSupplier nanoTime)
            throws InitiatorFault {
        TcpHostQueue queue;
        try {
            queue = new TcpHostQueue(address, shape, digests, commandTimeoutNanos, ceilingNanos, nanoTime);
        } catch (IOException failure) {
            throw InitiatorFault.of(Kind.UNREACHABLE, "No socket could be opened: " + failure.getMessage(), failure);
        }
        queue.thread.start();
        try {
            await(queue.ready);
        } catch (InitiatorFault fault) {
            queue.close();
            throw fault;
        }
        return queue;
    }

    /** From where this host speaks; null once the connection has ended. */
    InetSocketAddress localAddress() {
        try {
            return (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException closed) {
            return null;
        }
    }

    void liftCeiling() {
        ceilingNanos = Long.MAX_VALUE;
    }

    /** Why the connection has ended; null as long as it has not. */
    InitiatorFault broken() {
        return broken;
    }

    @Override
    public Completion execute(HostCommand command) throws InitiatorFault {
        return await(submit(command));
    }

    /** Sends the command; the future always ends, at its deadline at the latest. Waits while the queue is full. */
    CompletableFuture<Completion> submit(HostCommand command) {
        long now = nanoTime.getAsLong();
        return submit(command, Math.min(now + commandTimeoutNanos, ceilingNanos));
    }

    /** Sends a command that may stay unanswered for as long as the connection lives: an asynchronous event request. */
    CompletableFuture<Completion> submitWithoutDeadline(HostCommand command) {
        return submit(command, Long.MAX_VALUE);
    }

    private CompletableFuture<Completion> submit(HostCommand command, long deadlineNanos) {
        if (command.data().byteSize() > shape.transferBytesMax()) {
            throw new IllegalArgumentException("more data than this queue moves in one command");
        }
        PendingCommand pending = new PendingCommand(command, deadlineNanos);
        try {
            long patience = Math.max(0, Math.min(deadlineNanos - nanoTime.getAsLong(), commandTimeoutNanos));
            if (!freeEntries.tryAcquire(patience, TimeUnit.NANOSECONDS)) {
                pending.future.completeExceptionally(timedOut());
                return pending.future;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            pending.future.completeExceptionally(
                    InitiatorFault.of(Kind.CONNECTION_LOST, "The host was interrupted.", interrupted));
            return pending.future;
        }
        submitted.add(pending);
        InitiatorFault fault = broken;
        if (fault != null && submitted.remove(pending)) {
            freeEntries.release();
            pending.future.completeExceptionally(fault);
        } else {
            selector.wakeup();
        }
        return pending.future;
    }

    private void onCompleted(PendingCommand pending, Completion completion) {
        freeEntries.release();
        pending.future.complete(completion);
    }

    static <T> T await(CompletableFuture<T> future) throws InitiatorFault {
        try {
            return future.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw InitiatorFault.of(Kind.CONNECTION_LOST, "The host was interrupted.", interrupted);
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof InitiatorFault fault) {
                throw InitiatorFault.sameAs(fault);
            }
            throw new IllegalStateException(failure.getCause());
        }
    }

    private void run() {
        InitiatorFault end;
        try {
            connect();
            loop();
            end = InitiatorFault.of(Kind.CONNECTION_LOST, "The connection was closed by this host.");
        } catch (InitiatorFault fault) {
            end = fault;
        } catch (PduFault fault) {
            end = InitiatorFault.of(
                    Kind.TRANSPORT_BROKEN,
                    "The controller broke the rules of NVMe/TCP: " + fault.getMessage() + ".",
                    fault);
        } catch (IOException failure) {
            end = InitiatorFault.of(
                    Kind.CONNECTION_LOST,
                    "The connection to %s was lost: %s.".formatted(address, failure.getMessage()),
                    failure);
        } catch (RuntimeException defect) {
            end = InitiatorFault.of(
                    Kind.TRANSPORT_BROKEN, "A defect of this host ended the connection: " + defect, defect);
        }
        end(end);
    }

    private void connect() throws InitiatorFault {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            boolean connected = channel.connect(address);
            while (!connected) {
                selector.select(millisUntil(ceilingNanos));
                selector.selectedKeys().clear();
                requireBefore(ceilingNanos);
                if (closing) {
                    throw InitiatorFault.of(Kind.CONNECTION_LOST, "The connection was closed by this host.");
                }
                connected = channel.finishConnect();
            }
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException | RuntimeException failure) {
            throw InitiatorFault.of(
                    Kind.UNREACHABLE,
                    "Nobody answers at %s: %s.".formatted(describe(address), failure.getMessage()),
                    failure);
        }
    }

    static String describe(InetSocketAddress address) {
        String host = address.getAddress() == null
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private void loop() throws IOException, PduFault, InitiatorFault {
        codec.startHandshake();
        nextKeepAliveNanos = Long.MAX_VALUE;
        while (!closing) {
            takeSubmitted();
            codec.encodePending();
            boolean drained = codec.writeTo(channel);
            channel.keyFor(selector)
                    .interestOps(drained ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            if (submitted.isEmpty() || !codec.isReady()) {
                selector.select(millisUntil(Math.min(nextDeadline(), nextKeepAliveNanos)));
                selector.selectedKeys().clear();
            }
            codec.readFrom(channel, describe(address));
            if (codec.isReady() && !ready.isDone()) {
                scheduleKeepAlive();
                ready.complete(null);
            }
            requireBefore(nextDeadline());
            sendKeepAliveIfDue();
        }
    }

    private void takeSubmitted() {
        while (codec.isReady()) {
            PendingCommand pending = submitted.poll();
            if (pending == null) {
                return;
            }
            codec.start(pending);
        }
    }

    private long nextDeadline() {
        return codec.isReady() ? codec.earliestDeadlineNanos() : ceilingNanos;
    }

    private void requireBefore(long deadlineNanos) throws InitiatorFault {
        if (deadlineNanos != Long.MAX_VALUE && nanoTime.getAsLong() - deadlineNanos >= 0) {
            throw timedOut();
        }
    }

    private InitiatorFault timedOut() {
        return InitiatorFault.of(Kind.TIMED_OUT, "%s did not answer in time.".formatted(describe(address)));
    }

    /** 0 would mean for ever. */
    private long millisUntil(long deadlineNanos) {
        if (deadlineNanos == Long.MAX_VALUE) {
            return 0;
        }
        return Math.max(1, (deadlineNanos - nanoTime.getAsLong()) / 1_000_000 + 1);
    }

    private void scheduleKeepAlive() {
        if (shape.keepAliveNanos() > 0) {
            nextKeepAliveNanos = nanoTime.getAsLong() + shape.keepAliveNanos();
        }
    }

    /** Skips a turn when the queue is full: then the commands in it keep the controller alive, or run into their own deadlines. */
    private void sendKeepAliveIfDue() {
        if (nanoTime.getAsLong() - nextKeepAliveNanos < 0 || nextKeepAliveNanos == Long.MAX_VALUE) {
            return;
        }
        scheduleKeepAlive();
        if (freeEntries.tryAcquire()) {
            codec.start(new PendingCommand(AdminCommands.keepAlive(), nanoTime.getAsLong() + commandTimeoutNanos));
        }
    }

    private void end(InitiatorFault fault) {
        broken = fault;
        try {
            channel.close();
            selector.close();
        } catch (IOException ignored) {
            // The connection is being given up; there is nothing that a failed close would change.
        }
        ready.completeExceptionally(fault);
        codec.failAll(fault);
        for (PendingCommand pending = submitted.poll(); pending != null; pending = submitted.poll()) {
            pending.future.completeExceptionally(fault);
        }
        // Whoever waits for an entry is woken, and then finds the connection broken.
        freeEntries.release(shape.depth());
    }

    /** Closes the connection; commands in flight fail. */
    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
