package io.fairlead.nvme.initiator;

import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a whole discovery log page (NVM Express Base 2.0, section 5.16.1.23): its header, its entries a few at a time, and its header
 * again. When the generation has changed in between, the entries do not belong together, and it starts anew.
 *
 * @param generation GENCTR
 */
public record DiscoveryLog(long generation, List<DiscoveryEntry> entries) {

    private static final int HEADER_BYTES = 1024;
    private static final int NUMREC_OFFSET = 8;
    private static final int ENTRIES_PER_COMMAND = 4;
    private static final int ENTRIES_MAX = 65_536;
    private static final int TRIES_MAX = 8;

    public DiscoveryLog {
        entries = List.copyOf(entries);
    }

    static DiscoveryLog read(HostQueue admin) throws InitiatorFault {
        MemorySegment header = get(admin, 0, HEADER_BYTES);
        for (int attempt = 0; attempt < TRIES_MAX; attempt++) {
            long generation = header.get(HostCommand.LE64, 0);
            long count = header.get(HostCommand.LE64, NUMREC_OFFSET);
            if (count < 0 || count > ENTRIES_MAX) {
                throw InitiatorFault.of(
                        Kind.CONTROLLER_UNSUITABLE, "The discovery log says that it has an absurd number of entries.");
            }
            List<DiscoveryEntry> entries = entries(admin, (int) count);
            header = get(admin, 0, HEADER_BYTES);
            if (header.get(HostCommand.LE64, 0) == generation) {
                return new DiscoveryLog(generation, entries);
            }
        }
        throw InitiatorFault.of(
                Kind.CONTROLLER_UNSUITABLE,
                "The discovery log changed each of the " + TRIES_MAX + " times that it was read.");
    }

    private static List<DiscoveryEntry> entries(HostQueue admin, int count) throws InitiatorFault {
        List<DiscoveryEntry> entries = new ArrayList<>();
        while (entries.size() < count) {
            int some = Math.min(ENTRIES_PER_COMMAND, count - entries.size());
            long offset = HEADER_BYTES + (long) entries.size() * DiscoveryEntry.BYTES;
            MemorySegment chunk = get(admin, offset, some * DiscoveryEntry.BYTES);
            for (int index = 0; index < some; index++) {
                entries.add(
                        DiscoveryEntry.of(chunk.asSlice((long) index * DiscoveryEntry.BYTES, DiscoveryEntry.BYTES)));
            }
        }
        return entries;
    }

    private static MemorySegment get(HostQueue admin, long offset, int bytes) throws InitiatorFault {
        MemorySegment data = MemorySegment.ofArray(new byte[bytes]);
        Completion completion = admin.execute(AdminCommands.getLogPage(AdminCommands.LOG_DISCOVERY, 0, offset, data));
        if (!completion.succeeded()) {
            throw StatusText.failed("Reading the discovery log", completion);
        }
        if (completion.dataBytes() < bytes) {
            throw InitiatorFault.of(
                    Kind.CONTROLLER_UNSUITABLE,
                    "The discovery log is shorter than it says: %d bytes came where %d were asked for."
                            .formatted(completion.dataBytes(), bytes));
        }
        return data;
    }
}
