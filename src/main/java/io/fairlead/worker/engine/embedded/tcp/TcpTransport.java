package io.fairlead.worker.engine.embedded.tcp;

import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.PollGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Poll groups and listeners. The methods may be called from any thread but those of the poll groups; they return when what they do can
 * be observed.
 */
public final class TcpTransport implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(TcpTransport.class.getName());
    private static final int BACKLOG = 1024;
    private static final long ANSWER_SECONDS = 10;

    private final TcpSettings settings;
    private final List<TcpPollGroup> groups = new ArrayList<>();
    private final List<TcpListener> listeners = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger nextGroup = new AtomicInteger();
    private boolean closed;

    private TcpTransport(TcpSettings settings) throws IOException {
        this.settings = settings;
        for (int number = 0; number < settings.pollGroups(); number++) {
            groups.add(new TcpPollGroup(this, number));
        }
    }

    public static TcpTransport start(TcpSettings settings) throws IOException {
        TcpTransport transport = new TcpTransport(settings);
        transport.groups.forEach(TcpPollGroup::start);
        return transport;
    }

    /**
     * Binds and listens.
     *
     * @throws java.net.BindException when the address is not there or the port is taken
     */
    public synchronized TcpListener listen(InetSocketAddress address, QueueOpener opener) throws IOException {
        for (TcpPollGroup group : groups) {
            if (!group.thread().isAlive()) {
                throw new IOException(group.thread().getName() + " has stopped; only a restart of the worker helps");
            }
        }
        ServerSocketChannel server = ServerSocketChannel.open(
                address.getAddress() instanceof Inet6Address
                        ? StandardProtocolFamily.INET6
                        : StandardProtocolFamily.INET);
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            TcpListener listener = new TcpListener(this, server, opener);
            ask(groups.getFirst(), group -> {
                try {
                    group.register(listener, server);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return group;
            });
            listeners.add(listener);
            return listener;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    void closeListener(TcpListener listener) {
        synchronized (this) {
            listeners.remove(listener);
        }
        try {
            listener.server().close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "closing the listener at " + listener.address() + " failed", e);
        }
        for (TcpPollGroup group : groups) {
            ask(group, running -> {
                running.closeConnectionsOf(listener);
                return running;
            });
        }
    }

    /**
     * Gives up the poll groups' queues to a device that nothing uses any more.
     *
     * @return false when the device still holds operations after the time limit
     */
    public boolean release(BlockDevice device, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        for (TcpPollGroup group : groups) {
            ask(group, running -> {
                running.releaseDevice(device);
                return running;
            });
            while (ask(group, running -> running.uses(device))) {
                if (System.nanoTime() - end > 0) {
                    return false;
                }
                java.util.concurrent.locks.LockSupport.parkNanos(200_000);
            }
        }
        return true;
    }

    /** Connections that are open, over all poll groups. */
    public int connections() {
        return open.get();
    }

    /** Data buffers that commands hold, over all poll groups. */
    public int buffersInUse() {
        int sum = 0;
        for (TcpPollGroup group : groups) {
            sum += ask(group, running -> running.pool().inUse());
        }
        return sum;
    }

    /** The poll groups, each for work on its own thread. */
    public List<PollGroup> pollGroups() {
        return List.copyOf(groups);
    }

    TcpSettings settings() {
        return settings;
    }

    List<Thread> threads() {
        return groups.stream().map(TcpPollGroup::thread).toList();
    }

    /** On the thread of the group that listens; the connection then goes to one group for good. */
    void onAccepted(TcpPollGroup accepting, TcpListener listener, SocketChannel channel) throws IOException {
        if (open.incrementAndGet() > settings.connectionsMax()) {
            open.decrementAndGet();
            channel.close();
            LOG.log(Level.WARNING, "a connection was closed: " + settings.connectionsMax() + " are open already");
            return;
        }
        TcpPollGroup group = groups.get(Math.floorMod(nextGroup.getAndIncrement(), groups.size()));
        if (group == accepting) {
            group.adopt(listener, channel);
        } else {
            group.execute(() -> group.adopt(listener, channel));
        }
    }

    /** A poll group has died: nobody may be let in who would never be answered. */
    void onGroupFailed() {
        List<TcpListener> all;
        synchronized (this) {
            all = List.copyOf(listeners);
        }
        for (TcpListener listener : all) {
            try {
                listener.server().close();
            } catch (IOException e) {
                LOG.log(Level.WARNING, "closing the listener at " + listener.address() + " failed", e);
            }
        }
    }

    void onConnectionClosed() {
        open.decrementAndGet();
    }

    /** Has the group's thread answer; once that has ended, its state is anybody's to read. */
    private static <T> T ask(TcpPollGroup group, Function<TcpPollGroup, T> question) {
        if (!group.thread().isAlive()) {
            return question.apply(group);
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        group.execute(() -> {
            try {
                answer.complete(question.apply(group));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a poll group", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the poll group " + group.thread().getName() + " does not answer", e);
        }
    }

    /** Closes listeners, then connections, then waits for devices; buffers that are not given back by then are logged as an error. */
    @Override
    public void close() {
        List<TcpListener> open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(listeners);
        }
        open.forEach(TcpListener::close);
        groups.forEach(TcpPollGroup::stop);
        for (TcpPollGroup group : groups) {
            try {
                group.thread().join(Duration.ofSeconds(ANSWER_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while closing", e);
            }
        }
    }
}
