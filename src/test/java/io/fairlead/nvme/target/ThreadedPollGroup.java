package io.fairlead.nvme.target;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A poll group with a real thread, for tests of what several of them do to one target. What is thrown in a task is kept. */
final class ThreadedPollGroup implements PollGroup, AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Map<BlockDevice, DeviceQueue> deviceQueues = new HashMap<>();
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean closed;

    ThreadedPollGroup(String name) {
        thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            try {
                tasks.take().run();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | AssertionError e) {
                failure.compareAndSet(null, e);
            }
        }
    }

    /** The first thing that a task threw; null while nothing was. */
    Throwable failure() {
        return failure.get();
    }

    /** What the call returns on this group's thread. */
    <T> T call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        execute(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(thread.getName() + " does not answer", e);
        }
    }

    @Override
    public long nowNanos() {
        return 1_000_000_000L;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public DeviceQueue deviceQueue(BlockDevice device) {
        return deviceQueues.computeIfAbsent(
                device,
                opened -> opened.openQueue((command, status) -> command.queue().onDeviceDone(command, status)));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
