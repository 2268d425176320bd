package io.fairlead.worker.inventory;

import io.fairlead.worker.inventory.health.AdminQueue;
import io.fairlead.worker.inventory.health.HealthWatch;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A tree that looks like the root of a machine with drives, as far as the inventory looks. */
final class FakeMachine {

    static final long MEBIBYTE = 1 << 20;

    private final Path root;

    FakeMachine(Path root) throws IOException {
        this.root = root;
        write("proc/self/mountinfo", "22 1 0:20 / /proc rw - proc proc rw\n");
        write("proc/swaps", "Filename Type Size Used Priority\n");
        Files.createDirectories(root.resolve("sys/block"));
        Files.createDirectories(root.resolve("dev"));
    }

    Path root() {
        return root;
    }

    void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Plugs a drive in under a kernel name, with attributes as the kernel shows them, and blank content. */
    void drive(String name, String number, long sizeBytes, Map<String, String> attributes) throws IOException {
        write("sys/block/" + name + "/size", sizeBytes / 512 + "\n");
        write("sys/block/" + name + "/dev", number + "\n");
        write("sys/block/" + name + "/queue/logical_block_size", "512\n");
        write("sys/block/" + name + "/queue/rotational", "0\n");
        Files.createDirectories(root.resolve("sys/block/" + name + "/holders"));
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            write("sys/block/" + name + "/" + attribute.getKey(), attribute.getValue() + "\n");
        }
        try (RandomAccessFile device = new RandomAccessFile(device(name).toFile(), "rw")) {
            device.setLength(sizeBytes);
        }
    }

    void nvme(String name, String number, String eui) throws IOException {
        drive(
                name,
                number,
                8 * MEBIBYTE,
                Map.of("eui", eui, "device/model", "Model X", "device/serial", "S-" + eui.replace(" ", "")));
    }

    void partition(String drive, String name, String number) throws IOException {
        write("sys/block/" + drive + "/" + name + "/partition", "1\n");
        write("sys/block/" + drive + "/" + name + "/dev", number + "\n");
        Files.createDirectories(root.resolve("sys/block/" + drive + "/" + name + "/holders"));
    }

    void holder(String of, String holder, String number) throws IOException {
        Files.createDirectories(root.resolve("sys/block/" + of + "/holders/" + holder));
        write("sys/block/" + holder + "/dev", number + "\n");
        write("sys/block/" + holder + "/size", "2048\n");
    }

    void mount(String number, String point) throws IOException {
        Path file = root.resolve("proc/self/mountinfo");
        Files.writeString(file, Files.readString(file) + "30 1 " + number + " / " + point + " rw - ext4 x rw\n");
    }

    void unplug(String name) throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve("sys/block/" + name))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        Files.delete(device(name));
    }

    void content(String drive, long offset, byte[] bytes) throws IOException {
        try (RandomAccessFile device = new RandomAccessFile(device(drive).toFile(), "rw")) {
            device.seek(offset);
            device.write(bytes);
        }
    }

    Path device(String name) {
        return root.resolve("dev").resolve(name);
    }

    Inventory inventory(Path... driveFiles) {
        return new Inventory(root, List.of(driveFiles), unwatched(), () -> 0);
    }

    /** A watch that asks no drive. */
    static HealthWatch unwatched() {
        AdminQueue.Opener opener = device -> {
            throw new AssertionError("nobody looks after " + device);
        };
        return new HealthWatch(opener, Runnable::run, InstantSource.system(), () -> 0);
    }
}
