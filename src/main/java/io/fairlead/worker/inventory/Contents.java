package io.fairlead.worker.inventory;

import io.fairlead.ffi.blkid.Blkid;
import io.fairlead.ffi.blkid.Blkid.Answer;
import io.fairlead.ffi.blkid.Blkid.Finding;
import io.fairlead.ffi.libc.Descriptor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds out whether a drive holds somebody's data, by libblkid, which knows what every other tool of the machine knows, and by
 * {@link Signatures}, which are there without it. What either finds counts, and a drive of which one of them cannot tell is not blank.
 * It looks only.
 */
final class Contents {

    private final Blkid blkid;

    Contents(Blkid blkid) {
        this.blkid = blkid;
    }

    Content read(Path device, long sizeBytes) {
        String own;
        try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
            own = Signatures.find(channel, sizeBytes);
        } catch (IOException e) {
            return new Content.Unreadable(e.getClass().getSimpleName());
        }
        Set<String> names = own.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(own.split("\\+", -1)));
        return switch (probe(device)) {
            case Answer.Blank _, Answer.Missing _ -> of(names, List.of());
            case Answer.Found found -> of(names, found.findings());
            case Answer.Failed failed -> names.isEmpty() ? new Content.Unreadable(failed.why()) : of(names, List.of());
        };
    }

    private Answer probe(Path device) {
        try (Descriptor descriptor = Descriptor.open(device)) {
            return blkid.probe(descriptor);
        } catch (IOException e) {
            return new Answer.Failed(e.getMessage());
        }
    }

    private static Content of(Set<String> own, List<Finding> findings) {
        TreeMap<String, Set<String>> described = new TreeMap<>();
        own.forEach(name -> described.computeIfAbsent(name, _ -> new LinkedHashSet<>()));
        boolean isPartitionTable = own.stream().allMatch(Signatures::isPartitionTable);
        for (Finding finding : findings) {
            Set<String> labels = described.computeIfAbsent(finding.type(), _ -> new LinkedHashSet<>());
            finding.label().ifPresent(labels::add);
            isPartitionTable &= finding.usage().equals("partitions");
        }
        if (described.isEmpty()) {
            return new Content.Blank();
        }
        List<String> descriptions = described.entrySet().stream()
                .map(entry -> entry.getValue().isEmpty()
                        ? entry.getKey()
                        : entry.getKey() + " \"" + String.join("\", \"", entry.getValue()) + "\"")
                .toList();
        return new Content.Data(
                String.join("+", described.keySet()), String.join(", ", descriptions), isPartitionTable);
    }
}
