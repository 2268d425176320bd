package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceQueue;
import io.fairlead.nvme.target.PollGroup;
import io.fairlead.nvme.tcp.WireBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread and all that it owns: connections, data buffers, queues to devices.
 *
 * <p>Connections that had traffic a moment ago are <em>hot</em> and are read each turn without asking the selector, which is the fastest
 * way to a request (a spin on a non-blocking read). The others are found by the selector now and then. When nothing moved for the time
 * of {@link TcpSettings#busyPoll}, the thread blocks in the selector; whoever has work for it wakes it.
 */
final class TcpPollGroup implements PollGroup {

    private static final System.Logger LOG = System.getLogger(TcpPollGroup.class.getName());
    private static final int INPUT_BYTES = 256 * 1024;
    private static final long TICK_NANOS = 100_000_000;
    private static final long HOT_NANOS = 2_000_000;
    private static final int SELECT_EVERY_TURNS = 32;
    private static final int ACCEPTS_PER_TURN = 64;
    private static final long DRAIN_NANOS = 5_000_000_000L;

    private final TcpTransport transport;
    private final TcpSettings settings;
    private final Thread thread;
    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final WireBuffer input = WireBuffer.allocate(INPUT_BYTES);
    private final ByteBuffer[] scatter = new ByteBuffer[2];
    private final BufferPool pool;
    private final List<TcpConnection> connections = new ArrayList<>();
    private final List<TcpConnection> hot = new ArrayList<>();
    private final List<TcpConnection> dirty = new ArrayList<>();
    private final List<TcpConnection> lingering = new ArrayList<>();
    private final List<TrackedDeviceQueue> deviceQueues = new ArrayList<>();
    private final List<SelectionKey> pausedAccepts = new ArrayList<>();
    private final Consumer<SelectionKey> onReady = this::onReady;

    private long nowNanos = System.nanoTime();
    private long nextTickNanos = nowNanos + TICK_NANOS;
    private int turn;
    private boolean someClosed;
    private volatile boolean sleeping;
    private volatile boolean stopping;

    TcpPollGroup(TcpTransport transport, int number) throws IOException {
        this.transport = transport;
        this.settings = transport.settings();
        this.pool = new BufferPool(settings.bufferMemoryBytes());
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().name("nvme-tcp-" + number).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    TcpSettings settings() {
        return settings;
    }

    BufferPool pool() {
        return pool;
    }

    WireBuffer input() {
        return input;
    }

    /** An array for one scattering read, which holds nothing beyond it. */
    ByteBuffer[] scatter(ByteBuffer one, ByteBuffer other) {
        scatter[0] = one;
        scatter[1] = other;
        return scatter;
    }

    List<TcpConnection> connections() {
        return connections;
    }

    int lingering() {
        return lingering.size();
    }

    Thread thread() {
        return thread;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** From any thread. Either the loop sees what was published before, or it is seen asleep here. */
    private void wakeUp() {
        VarHandle.fullFence();
        if (sleeping) {
            selector.wakeup();
        }
    }

    @Override
    public DeviceQueue deviceQueue(BlockDevice device) {
        for (int i = 0; i < deviceQueues.size(); i++) {
            if (deviceQueues.get(i).device() == device) {
                return deviceQueues.get(i);
            }
        }
        TrackedDeviceQueue opened = new TrackedDeviceQueue(device, this::wakeUp);
        deviceQueues.add(opened);
        return opened;
    }

    /** Closes this group's queue to the device, if there is one; {@link #uses} tells when it has gone. */
    void releaseDevice(BlockDevice device) {
        for (TrackedDeviceQueue queue : deviceQueues) {
            if (queue.device() == device) {
                queue.close();
            }
        }
    }

    boolean uses(BlockDevice device) {
        deviceQueues.removeIf(TrackedDeviceQueue::isFinished);
        return deviceQueues.stream().anyMatch(queue -> queue.device() == device);
    }

    void markDirty(TcpConnection connection) {
        if (!connection.dirty) {
            connection.dirty = true;
            dirty.add(connection);
        }
    }

    void onClosed(TcpConnection connection) {
        someClosed = true;
        transport.onConnectionClosed();
    }

    // The loop.

    private void run() {
        try {
            serve();
        } catch (Throwable e) {
            // Hosts must not wait for a thread that has died: they fail over when their connections close.
            LOG.log(Level.ERROR, thread.getName() + " has failed and serves no longer", e);
            transport.onGroupFailed();
        } finally {
            shutDown();
        }
    }

    private void serve() {
        long lastWorkNanos = System.nanoTime();
        while (!stopping) {
            nowNanos = System.nanoTime();
            if (turn() > 0) {
                lastWorkNanos = nowNanos;
            } else if (nowNanos - lastWorkNanos >= settings.busyPoll().toNanos()) {
                block();
                lastWorkNanos = System.nanoTime();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private long turn() {
        long work = runTasks() + pollDevices();
        if (++turn % SELECT_EVERY_TURNS == 0 || hot.isEmpty()) {
            select(0);
        }
        for (int i = 0; i < hot.size(); i++) {
            work += turn(hot.get(i));
        }
        work += flushDirty();
        if (nowNanos - nextTickNanos >= 0) {
            tick();
        }
        if (someClosed || !lingering.isEmpty()) {
            sweep();
        }
        return work;
    }

    private int runTasks() {
        int ran = 0;
        Runnable task;
        while ((task = tasks.poll()) != null) {
            ran++;
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "a task of the poll group failed", e);
            }
        }
        return ran;
    }

    private int pollDevices() {
        int reaped = 0;
        for (int i = 0; i < deviceQueues.size(); i++) {
            reaped += deviceQueues.get(i).poll();
        }
        return reaped;
    }

    /** A fault of ours in serving one connection must not end the others. */
    private long turn(TcpConnection connection) {
        try {
            return connection.turn();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "serving " + connection.peerAddress() + " failed; it is closed", e);
            closeQuietly(connection);
            return 1;
        }
    }

    private static void closeQuietly(TcpConnection connection) {
        try {
            connection.close();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "closing " + connection.peerAddress() + " failed", e);
        }
    }

    private int flushDirty() {
        int count = dirty.size();
        for (int i = 0; i < dirty.size(); i++) {
            TcpConnection connection = dirty.get(i);
            connection.dirty = false;
            connection.flushAndSettle();
            if (connection.hasOutput()) {
                makeHot(connection);
            }
        }
        dirty.clear();
        return count;
    }

    private void makeHot(TcpConnection connection) {
        if (!connection.hot) {
            connection.hot = true;
            hot.add(connection);
        }
    }

    private void tick() {
        nextTickNanos = nowNanos + TICK_NANOS;
        for (int i = 0; i < connections.size(); i++) {
            TcpConnection connection = connections.get(i);
            try {
                connection.onTick(nowNanos);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "the timers of " + connection.peerAddress() + " failed; it is closed", e);
                closeQuietly(connection);
            }
        }
        coolDown();
        resumeAccepts();
        deviceQueues.removeIf(TrackedDeviceQueue::isFinished);
    }

    private void sweep() {
        someClosed = false;
        connections.removeIf(connection -> {
            boolean closed = connection.state() == TcpConnection.State.CLOSED;
            if (closed && !connection.isFinished()) {
                lingering.add(connection);
            }
            return closed;
        });
        hot.removeIf(connection -> connection.state() == TcpConnection.State.CLOSED);
        lingering.removeIf(TcpConnection::isFinished);
        // A closed channel keeps its descriptor until the selector has looked at its key.
        select(0);
    }

    /** Leaves the connections that have been idle to the selector. */
    private void coolDown() {
        for (int i = hot.size() - 1; i >= 0; i--) {
            TcpConnection connection = hot.get(i);
            if (connection.state() == TcpConnection.State.CLOSED) {
                continue;
            }
            connection
                    .channel()
                    .keyFor(selector)
                    .interestOps(connection.hasOutput() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            if (!connection.hasOutput() && nowNanos - connection.activeNanos > HOT_NANOS) {
                connection.hot = false;
                hot.set(i, hot.getLast());
                hot.removeLast();
            }
        }
    }

    private void block() {
        coolDown();
        sleeping = true;
        VarHandle.fullFence();
        if (tasks.isEmpty() && pollDevices() == 0 && dirty.isEmpty() && !stopping) {
            select(blockMillis());
        }
        sleeping = false;
    }

    /** Without connections nothing has a time limit, and without paused listeners nothing must be tried again. */
    private long blockMillis() {
        if (connections.isEmpty() && pausedAccepts.isEmpty() && lingering.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextTickNanos - System.nanoTime()));
    }

    private void select(long millis) {
        try {
            if (millis == 0) {
                selector.selectNow(onReady);
            } else {
                selector.select(onReady, millis);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the selector failed", e);
        }
    }

    private void onReady(SelectionKey key) {
        if (sleeping) {
            // The turn's time is from before the sleep, which may have been long: what begins now begins now.
            nowNanos = System.nanoTime();
        }
        if (!key.isValid()) {
            return;
        }
        switch (key.attachment()) {
            case TcpConnection connection -> makeHot(connection);
            case TcpListener listener -> accept(key, listener);
            default -> throw new AssertionError("nothing else registers here");
        }
    }

    // Accepting.

    void register(TcpListener listener, ServerSocketChannel server) throws IOException {
        server.register(selector, SelectionKey.OP_ACCEPT, listener);
    }

    private void accept(SelectionKey key, TcpListener listener) {
        try {
            for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
                SocketChannel channel = listener.server().accept();
                if (channel == null) {
                    return;
                }
                transport.onAccepted(this, listener, channel);
            }
        } catch (IOException e) {
            // Most likely out of descriptors: the connection stays in the backlog and would be offered again at once.
            LOG.log(Level.WARNING, "accepting on " + listener.address() + " failed: " + e.getMessage());
            key.interestOps(0);
            pausedAccepts.add(key);
        }
    }

    private void resumeAccepts() {
        for (SelectionKey key : pausedAccepts) {
            if (key.isValid()) {
                key.interestOps(SelectionKey.OP_ACCEPT);
            }
        }
        pausedAccepts.clear();
    }

    /** Makes a connection of an accepted channel. On this group's thread. */
    void adopt(TcpListener listener, SocketChannel channel) {
        try {
            if (stopping || listener.isClosed()) {
                channel.close();
                transport.onConnectionClosed();
                return;
            }
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            InetSocketAddress peer = (InetSocketAddress) channel.getRemoteAddress();
            TcpConnection connection = new TcpConnection(this, listener, channel, Addresses.text(peer));
            channel.register(selector, SelectionKey.OP_READ, connection);
            connection.activeNanos = nowNanos;
            connections.add(connection);
            makeHot(connection);
        } catch (IOException e) {
            // The peer has gone already.
            LOG.log(Level.DEBUG, () -> "a connection was lost before it began: " + e.getMessage());
            transport.onConnectionClosed();
            try {
                channel.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
        }
    }

    /**
     * Closes the connections that came in through the listener, and lets go of what was closed: a channel that is registered with a
     * selector keeps its port until the selector has looked again. On this group's thread.
     */
    void closeConnectionsOf(TcpListener listener) {
        for (TcpConnection connection : connections) {
            if (connection.listener() == listener) {
                closeQuietly(connection);
            }
        }
        if (selector.isOpen()) {
            select(0);
        }
    }

    // The end.

    void stop() {
        stopping = true;
        selector.wakeup();
    }

    private void shutDown() {
        runTasks();
        for (TcpConnection connection : connections) {
            closeQuietly(connection);
        }
        sweep();
        long limit = System.nanoTime() + DRAIN_NANOS;
        while (!lingering.isEmpty() && System.nanoTime() - limit < 0) {
            pollDevices();
            lingering.removeIf(TcpConnection::isFinished);
            LockSupport.parkNanos(100_000);
        }
        for (TrackedDeviceQueue queue : deviceQueues) {
            queue.close();
        }
        runTasks();
        if (pool.inUse() != 0) {
            LOG.log(Level.ERROR, pool.inUse() + " data buffers were not given back");
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "closing the selector failed", e);
        }
    }
}
