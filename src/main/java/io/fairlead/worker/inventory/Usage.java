package io.fairlead.worker.inventory;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What this machine itself uses, at one moment: mounts from {@code /proc/self/mountinfo} (proc_pid_mountinfo(5)), swap areas from
 * {@code /proc/swaps}, files behind loop devices.
 *
 * @param mountPoints by {@code major:minor}
 * @param swapDevices kernel names
 * @param loopFiles files that loop devices stand on
 */
record Usage(Map<String, Set<String>> mountPoints, Set<String> swapDevices, Set<String> loopFiles) {

    static Usage read(Tree tree) {
        Map<String, Set<String>> mounts = new HashMap<>();
        for (String line : tree.lines("proc/self/mountinfo")) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 4) {
                mounts.computeIfAbsent(fields[2], device -> new HashSet<>()).add(fields[4]);
            }
        }
        Set<String> swaps = new HashSet<>();
        for (String line : tree.lines("proc/swaps")) {
            String device = line.split("\\s+", 2)[0];
            if (device.startsWith("/dev/")) {
                swaps.add(device.substring("/dev/".length()));
            }
        }
        Set<String> loops = new HashSet<>();
        Path block = tree.at("sys/block");
        for (String name : tree.names(block)) {
            if (name.startsWith("loop")) {
                tree.text(block.resolve(name).resolve("loop/backing_file")).ifPresent(loops::add);
            }
        }
        return new Usage(mounts, swaps, loops);
    }

    /** Whether the machine would not come up without it. */
    boolean isBootDevice(String device) {
        return mountPoints.getOrDefault(device, Set.of()).stream()
                .anyMatch(List.of("/", "/boot", "/boot/efi", "/usr")::contains);
    }
}
