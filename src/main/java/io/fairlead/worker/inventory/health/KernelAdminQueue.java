package io.fairlead.worker.inventory.health;

import io.fairlead.ffi.libc.Descriptor;
import io.fairlead.ffi.libc.SystemCallFault;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The kernel's own admin queue of a controller, through the {@code ioctl} of its character device. */
public final class KernelAdminQueue implements AdminQueue {

    private static final Pattern CONTROLLER = Pattern.compile("nvme\\d+");
    private static final int IDENTIFY_BYTES = 4096;

    private final Path device;
    private final Descriptor descriptor;

    private KernelAdminQueue(Path device, Descriptor descriptor) {
        this.device = device;
        this.descriptor = descriptor;
    }

    /**
     * Opens the queue of the controller behind a block device.
     *
     * @param root {@code /}, or a tree that looks like it
     */
    public static AdminQueue open(Path root, String deviceName) throws HealthFault {
        Path device = root.resolve("dev").resolve(controller(root, deviceName));
        try {
            return new KernelAdminQueue(device, Descriptor.open(device));
        } catch (SystemCallFault e) {
            throw fault(device, e);
        }
    }

    /**
     * The controller of a block device. {@code device} leads to it; where the kernel puts several paths under one block device, it leads
     * to the subsystem, whose controllers are listed there. The number in the block device's name is the subsystem's then and says nothing.
     */
    static String controller(Path root, String deviceName) throws HealthFault {
        Path device = root.resolve("sys/block").resolve(deviceName).resolve("device");
        try {
            String name = device.toRealPath().getFileName().toString();
            if (CONTROLLER.matcher(name).matches()) {
                return name;
            }
            List<String> controllers = new ArrayList<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(device)) {
                entries.forEach(entry -> controllers.add(entry.getFileName().toString()));
            }
            return controllers.stream()
                    .filter(entry -> CONTROLLER.matcher(entry).matches())
                    .sorted()
                    .filter(entry -> isLive(device.resolve(entry)))
                    .findFirst()
                    .orElseThrow(() -> noController(deviceName));
        } catch (NoSuchFileException e) {
            throw noController(deviceName).because(e);
        } catch (IOException e) {
            throw HealthFault.of("drive.health_unavailable", "The kernel does not show the drive's controller: " + e)
                    .because(e);
        }
    }

    private static HealthFault noController(String deviceName) {
        return HealthFault.of(
                "drive.health_no_controller", "The kernel shows no live NVMe controller behind " + deviceName + ".");
    }

    private static boolean isLive(Path controller) {
        try {
            return Files.readString(controller.resolve("state")).strip().equals("live");
        } catch (IOException e) {
            // It went while we looked.
            return false;
        }
    }

    @Override
    public byte[] identify(int cns) throws HealthFault {
        try (Arena arena = Arena.ofConfined()) {
            return send("Identify", PassthruCommand.identify(arena, cns, IDENTIFY_BYTES));
        }
    }

    @Override
    public byte[] getLogPage(int identifier, int lengthBytes) throws HealthFault {
        try (Arena arena = Arena.ofConfined()) {
            return send("Get Log Page", PassthruCommand.getLogPage(arena, identifier, lengthBytes));
        }
    }

    private byte[] send(String name, PassthruCommand command) throws HealthFault {
        int status;
        try {
            status = descriptor.ioctl(PassthruCommand.NVME_IOCTL_ADMIN_CMD, command.segment());
        } catch (SystemCallFault e) {
            throw fault(device, e);
        }
        if (status != 0) {
            throw HealthFault.of(
                    "drive.health_refused",
                    "The drive refused %s with NVMe status type %d, code 0x%02x."
                            .formatted(name, status >> 8 & 7, status & 0xFF));
        }
        return command.data();
    }

    static HealthFault fault(Path device, SystemCallFault e) {
        if (e.isPermission()) {
            return HealthFault.of(
                            "drive.health_not_permitted",
                            "The worker may not ask " + device
                                    + "; run it as root, or with CAP_SYS_ADMIN and the device's group.")
                    .because(e);
        }
        if (e.isGone()) {
            return HealthFault.of("drive.health_gone", device + " is not there, or not any more.")
                    .because(e);
        }
        return HealthFault.of(
                        "drive.health_unavailable", "The kernel could not ask " + device + ": " + e.getMessage() + ".")
                .because(e);
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
