package io.fairlead.worker.prover;

import io.fairlead.contract.DesiredNamespace;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.NamespaceData;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Compares what a connected host identifies with what is intended, and reads from each namespace. */
final class NamespaceProof {

    private static final int READS_PER_NAMESPACE = 64;
    private static final int READ_BYTES = 4096;

    private final HostConnection connection;
    private final LongSupplier nanoTime;

    NamespaceProof(HostConnection connection, LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
    }

    /** What was found. */
    record Result(int namespaces, Latencies latencies) {}

    Result prove(List<DesiredNamespace> desired) throws InitiatorFault, PathFault {
        Map<Long, NamespaceData> found = new HashMap<>();
        for (NamespaceData namespace : connection.identifyNamespaces()) {
            found.put(namespace.nsid(), namespace);
        }
        Latencies latencies = new Latencies();
        for (DesiredNamespace wanted : desired) {
            NamespaceData namespace = found.remove(wanted.nsid());
            if (namespace == null) {
                throw PathFault.of("path.namespace_missing", "The host does not find namespace " + wanted.nsid() + ".");
            }
            requireIdentity(wanted, namespace);
            read(connection, namespace, nanoTime, latencies);
        }
        if (!found.isEmpty()) {
            throw PathFault.of(
                    "path.namespace_unexpected",
                    "The host finds namespace %s, which is not intended."
                            .formatted(found.keySet().iterator().next()));
        }
        return new Result(desired.size(), latencies);
    }

    private static void requireIdentity(DesiredNamespace wanted, NamespaceData found) throws PathFault {
        requireEqual(wanted.nsid(), "UUID", Optional.of(wanted.uuid()), found.uuid());
        requireEqual(wanted.nsid(), "NGUID", wanted.nguid(), found.nguid());
        requireEqual(wanted.nsid(), "EUI-64", wanted.eui64(), found.eui64());
        requireEqual(wanted.nsid(), "block size", wanted.lbaBytes(), found.lbaBytes());
        requireEqual(wanted.nsid(), "size in bytes", wanted.sizeBytes(), found.sizeBytes());
    }

    private static void requireEqual(long nsid, String what, Object wanted, Object found) throws PathFault {
        if (!wanted.equals(found)) {
            throw PathFault.of(
                    "path.identity_mismatch",
                    "Namespace %d has the %s %s for the host, and %s is intended."
                            .formatted(nsid, what, text(found), text(wanted)));
        }
    }

    private static String text(Object value) {
        return value instanceof Optional<?> optional
                ? optional.map(Object::toString).orElse("(none)")
                : value.toString();
    }

    /** Reads at places that are spread evenly from the first block to the last. */
    static void read(HostConnection connection, NamespaceData namespace, LongSupplier nanoTime, Latencies latencies)
            throws InitiatorFault {
        int bytes = Math.max(READ_BYTES, namespace.lbaBytes());
        long blocksPerRead = bytes / namespace.lbaBytes();
        long last = namespace.blocks() - blocksPerRead;
        if (last < 0) {
            return;
        }
        MemorySegment buffer = MemorySegment.ofArray(new byte[bytes]);
        long reads = Math.min(READS_PER_NAMESPACE, last / blocksPerRead + 1);
        for (long index = 0; index < reads; index++) {
            long lba = reads == 1 ? 0 : last / (reads - 1) * index;
            long start = nanoTime.getAsLong();
            connection.read(namespace, lba, buffer);
            latencies.add(nanoTime.getAsLong() - start);
        }
    }
}
