package io.fairlead.worker.inventory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads what drives hold, each on a thread of its own, and waits for all of them together and not for long: a drive that hangs must keep
 * neither the reports nor the reconciler. It counts as unreadable, and as long as it owes its answer it is asked nothing more.
 */
final class ContentReads {

    private static final Content SILENT = new Content.Unreadable("it does not answer");

    private final Reader reader;
    private final Executor threads;
    private final Set<Asked> owing = ConcurrentHashMap.newKeySet();

    /** Looks at one device; may take as long as the device likes. */
    @FunctionalInterface
    interface Reader {
        Content read(Path device, long sizeBytes);
    }

    /** Another drive under the name of one that hangs is asked. */
    private record Asked(String identity, Path device) {}

    /**
     * Makes it.
     *
     * @param threads runs a read; a thread that hangs must not keep others
     */
    ContentReads(Reader reader, Executor threads) {
        this.reader = reader;
        this.threads = threads;
    }

    /** What the drives hold now, by identity; an answer that was asked for earlier is not used. */
    Map<String, Content> read(Collection<BlockDrive> drives, Duration patience) {
        Map<String, CompletableFuture<Content>> answers = new HashMap<>();
        drives.forEach(drive -> answers.computeIfAbsent(drive.identity(), _ -> begin(drive)));
        try {
            CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                    .get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // Who has not answered by now is silent.
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read never ends with a failure", e);
        }
        Map<String, Content> contents = new HashMap<>();
        answers.forEach((identity, answer) -> contents.put(identity, answer.getNow(SILENT)));
        return contents;
    }

    private CompletableFuture<Content> begin(BlockDrive drive) {
        Asked asked = new Asked(drive.identity(), drive.device());
        if (!owing.add(asked)) {
            return CompletableFuture.completedFuture(SILENT);
        }
        CompletableFuture<Content> answer = new CompletableFuture<>();
        threads.execute(() -> {
            Content content = SILENT;
            try {
                content = reader.read(drive.device(), drive.sizeBytes());
            } finally {
                owing.remove(asked);
                answer.complete(content);
            }
        });
        return answer;
    }
}
