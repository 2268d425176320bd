package io.fairlead.worker.volume.lvm;

import io.fairlead.contract.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Runs {@code lvm} without a shell, with nothing to read and a time to end in. What a machine's {@code lvm.conf} says of devices, locks
 * and udev is overridden, so that the same command does the same everywhere. Whatever would be asked back is answered with no, because
 * there is nobody to ask.
 */
final class LvmCommands implements LvmTool {

    private static final List<Path> PLACES =
            List.of(Path.of("usr/sbin/lvm"), Path.of("sbin/lvm"), Path.of("usr/bin/lvm"), Path.of("bin/lvm"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration AFTER_THE_END = Duration.ofSeconds(5);
    private static final int WORDS_MAX = 600;

    private final Path root;
    private final Duration patience;

    private LvmCommands(Path root, Duration patience) {
        this.root = root;
        this.patience = patience;
    }

    static LvmCommands ofThisMachine() {
        return new LvmCommands(Path.of("/"), PATIENCE);
    }

    /** With another root, for a tree that looks like a machine. */
    static LvmCommands of(Path root, Duration patience) {
        return new LvmCommands(root, patience);
    }

    @Override
    public Optional<Reason> absence() {
        try {
            if (binary().isEmpty()) {
                return Optional.of(
                        new Reason(
                                "pool.lvm_absent",
                                "Pools on drives need LVM, and this head has none. Install the package lvm2 (and thin-provisioning-tools)."));
            }
            if (!isRoot()) {
                return Optional.of(new Reason(
                        "pool.root_needed", "Pools on drives need root. Start the worker as root for them."));
            }
            if (!hasDeviceMapper()) {
                return Optional.of(new Reason(
                        "pool.device_mapper_absent",
                        "Pools on drives need the kernel's device mapper. Load it with 'modprobe dm_mod'."));
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(new Reason(
                    "pool.lvm_unknown", "It cannot be told whether this head has LVM: " + e.getMessage() + "."));
        }
    }

    private Optional<Path> binary() {
        return PLACES.stream().map(root::resolve).filter(Files::isExecutable).findFirst();
    }

    private boolean isRoot() throws IOException {
        String ids = Files.readAllLines(root.resolve("proc/self/status")).stream()
                .filter(line -> line.startsWith("Uid:"))
                .findFirst()
                .orElse("");
        // Real, effective, saved, file system.
        String[] fields = ids.split("\\s+");
        return fields.length > 2 && fields[2].equals("0");
    }

    private boolean hasDeviceMapper() throws IOException {
        return Files.readAllLines(root.resolve("proc/misc")).stream().anyMatch(line -> line.endsWith(" device-mapper"));
    }

    @Override
    public String run(List<String> arguments) throws LvmFault {
        String name = arguments.getFirst();
        Path binary = binary().orElseThrow(() -> new LvmFault("There is no program lvm."));
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        command.add(name);
        command.add("--config");
        command.add(config());
        command.addAll(arguments.subList(1, arguments.size()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LVM_") || variable.startsWith("DM_"));
        builder.environment().put("LC_ALL", "C");
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        try {
            return await(name, builder.start());
        } catch (IOException e) {
            throw new LvmFault("lvm could not be started: " + e.getMessage() + ".", e);
        }
    }

    /** Independent of the machine; where udev makes no nodes, LVM makes them. */
    private String config() {
        boolean hasUdev = Files.exists(root.resolve("run/udev/control"));
        String udev = hasUdev ? "1" : "0";
        return "devices{use_devicesfile=0 obtain_device_list_from_udev=0 external_device_info_source=\"none\""
                + " hints=\"none\" issue_discards=0 scan_lvs=0 filter=[\"a|.*|\"] global_filter=[\"a|.*|\"]}"
                + " global{use_lvmlockd=0 use_lvmpolld=0 event_activation=0 system_id_source=\"none\" notify_dbus=0"
                + " wait_for_locks=1}"
                + " activation{udev_sync=" + udev + " udev_rules=" + udev + " verify_udev_operations="
                + (hasUdev ? 0 : 1)
                + " monitoring=0 auto_activation_volume_list=[] thin_pool_autoextend_threshold=100}"
                + " report{binary_values_as_numeric=0} log{report_command_log=0}"
                + " backup{backup=0 archive=0}";
    }

    private String await(String name, Process process) throws LvmFault {
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<String> said = reading(process.getInputStream(), readers);
            CompletableFuture<String> complained = reading(process.getErrorStream(), readers);
            try {
                if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new LvmFault(name + " did not end within " + patience.toSeconds() + " s and was stopped.");
                }
                String output = said.get(AFTER_THE_END.toNanos(), TimeUnit.NANOSECONDS);
                String complaint = complained.get(AFTER_THE_END.toNanos(), TimeUnit.NANOSECONDS);
                if (process.exitValue() != 0) {
                    throw new LvmFault(name + " was refused: " + words(complaint, process.exitValue()));
                }
                return output;
            } finally {
                stop(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LvmFault(name + " was stopped with the worker.", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new LvmFault("What " + name + " said could not be read.", e);
        }
    }

    /** So that nothing waits for its words any more. */
    private static void stop(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static CompletableFuture<String> reading(InputStream stream, ExecutorService readers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                readers);
    }

    /** What went wrong, without what LVM warns of each time. */
    private static String words(String complaint, int exitCode) {
        String text = complaint
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty()
                        && !line.startsWith("WARNING:")
                        && !line.startsWith("Run `")
                        && !line.startsWith("File descriptor"))
                .map(line -> line.endsWith(".") ? line : line + ".")
                .collect(Collectors.joining(" "));
        if (text.isEmpty()) {
            return "exit code " + exitCode + ".";
        }
        return text.length() <= WORDS_MAX ? text : text.substring(0, WORDS_MAX) + " …";
    }
}
