package io.fairlead.worker.ledger;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The ledger of one head, in its state directory, which it locks. Thread-safe: the thread that talks to the management plane offers
 * desired states, the reconciler reads them and remembers facts.
 *
 * <p>Each change is a new file that replaces the current one; the one before is kept. A current file that is damaged is put aside and
 * the previous one is used; when both are, the head starts without a desired state, in which the reconciler touches nothing.
 */
public final class Ledger implements HeadMemory, AutoCloseable {

    private final LedgerFile file;
    private final FileChannel lock;
    private final List<Reason> problems;
    private LedgerContent content;

    private Ledger(LedgerFile file, FileChannel lock, LedgerContent content, List<Reason> problems) {
        this.file = file;
        this.lock = lock;
        this.content = content;
        this.problems = List.copyOf(problems);
    }

    /**
     * Opens the ledger, and makes it if there is none.
     *
     * @throws IOException when the directory cannot be used, or another worker uses it
     */
    public static Ledger open(Path stateDirectory) throws IOException {
        Path directory = stateDirectory.toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory.getParent());
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        FileChannel lock = lock(directory);
        try {
            LedgerFile file = new LedgerFile(directory);
            LedgerFile.Loaded loaded = file.load();
            return new Ledger(file, lock, loaded.content(), loaded.problems());
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve("worker.lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                LedgerFile.OWNER_ONLY);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another ledger of this very process; told below as any other.
        }
        channel.close();
        throw new IOException(directory + " is used by another worker");
    }

    /** What was found damaged when the ledger was opened; empty as a rule. */
    public List<Reason> problems() {
        return problems;
    }

    public synchronized Optional<Enrolment> enrolment() {
        return content.enrolment();
    }

    /** Remembers who this head is; a desired state of another head is forgotten with the old name. */
    public synchronized void enrol(Enrolment enrolment) {
        boolean sameHead = content.enrolment().map(Enrolment::headId).equals(Optional.of(enrolment.headId()));
        replace((sameHead ? content : LedgerContent.EMPTY.with(content.facts())).with(enrolment));
    }

    /** The last accepted desired state. */
    public synchronized Optional<DesiredState> desired() {
        return content.desired();
    }

    /** Takes a desired state if it is newer than what the head has; when this returns {@code Accepted} it survives a power cut. */
    public synchronized Acceptance offer(DesiredState offered) {
        if (offered.schema() != DesiredState.SCHEMA) {
            return new Acceptance.NotForUs("schema " + offered.schema() + " is not known here");
        }
        Optional<Enrolment> enrolment = content.enrolment();
        if (enrolment.isPresent() && !enrolment.get().headId().equals(offered.headId())) {
            return new Acceptance.NotForUs("it is for head " + offered.headId());
        }
        if (content.desired().isPresent()) {
            DesiredState held = content.desired().get();
            if (held.generation().isAfter(offered.generation())) {
                return new Acceptance.Older(held.generation(), offered.generation());
            }
            if (held.generation().equals(offered.generation())) {
                return Sameness.of(held, offered)
                        ? new Acceptance.Unchanged()
                        : new Acceptance.Contradiction(offered.generation());
            }
        }
        replace(content.with(offered));
        return new Acceptance.Accepted(offered.generation());
    }

    @Override
    public synchronized Facts recall() {
        return content.facts();
    }

    @Override
    public synchronized void remember(Facts facts) {
        replace(content.with(facts));
    }

    private void replace(LedgerContent next) {
        try {
            file.replace(next);
            content = next;
        } catch (IOException e) {
            throw new UncheckedIOException("the ledger cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
