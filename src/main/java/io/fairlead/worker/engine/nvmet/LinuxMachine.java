package io.fairlead.worker.engine.nvmet;

import com.sun.nio.file.ExtendedOpenOption;
import io.fairlead.contract.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** This machine, by {@code /proc} and {@code /sys} under a root. */
final class LinuxMachine implements Machine {

    /** Sizes in sysfs count these, whatever the logical block size is. */
    private static final int SECTOR_BYTES = 512;

    private static final int FILE_BLOCK_BYTES_MAX = 4096;

    private final Path root;
    private final Path configfs;

    LinuxMachine(Path root) {
        this.root = root;
        this.configfs = root.resolve("sys/kernel/config");
    }

    Path nvmet() {
        return configfs.resolve("nvmet");
    }

    @Override
    public String bootId() {
        return text(root.resolve("proc/sys/kernel/random/boot_id")).orElse("unknown");
    }

    @Override
    public String kernelRelease() {
        return text(root.resolve("proc/sys/kernel/osrelease")).orElse("unknown");
    }

    @Override
    public Optional<Missing> missing() {
        if (!Files.isDirectory(root.resolve("sys/module/configfs")) && !Files.isDirectory(configfs)) {
            return Optional.of(new Missing(
                    "engine.configfs_absent",
                    "This kernel has no configfs, through which its NVMe target is set up. Run `modprobe configfs`."));
        }
        if (!isMounted()) {
            return Optional.of(new Missing(
                    "engine.configfs_not_mounted",
                    "configfs is not mounted. Run `mount -t configfs none /sys/kernel/config`."));
        }
        if (!Files.isDirectory(nvmet())) {
            return Optional.of(
                    isLoadable("nvmet")
                            ? new Missing(
                                    "engine.nvmet_not_loaded",
                                    "The kernel's NVMe target is not loaded. Run `modprobe nvmet`, and at each boot before the worker.")
                            : new Missing(
                                    "engine.nvmet_absent",
                                    "Kernel " + kernelRelease()
                                            + " comes without the NVMe target (module nvmet). Use another kernel, or the embedded engine."));
        }
        if (!Files.isWritable(nvmet().resolve("subsystems"))) {
            return Optional.of(new Missing(
                    "engine.not_root",
                    "The worker may not write to configfs. Run it as root, or choose the embedded engine."));
        }
        return Optional.empty();
    }

    private boolean isMounted() {
        return text(root.resolve("proc/self/mounts"))
                .map(mounts -> mounts.lines().anyMatch(line -> line.contains(" configfs ")))
                .orElse(false);
    }

    @Override
    public Optional<String> whyNot(Transport transport) {
        String name = transport.name().toLowerCase(Locale.ROOT);
        String module = "nvmet-" + name;
        if (!Files.isDirectory(root.resolve("sys/module/nvmet_" + name)) && !isLoadable(module)) {
            return Optional.of("Kernel " + kernelRelease() + " comes without the module " + module
                    + ": listeners of transport " + name + " are not served on this head.");
        }
        if (transport == Transport.RDMA && !hasRdmaDevice()) {
            return Optional.of(
                    "This head has no RDMA device: RDMA listeners are not served on it. For RoCE in software run"
                            + " `rdma link add rxe0 type rxe netdev DEVICE`.");
        }
        return Optional.empty();
    }

    private boolean hasRdmaDevice() {
        try (Stream<Path> devices = Files.list(root.resolve("sys/class/infiniband"))) {
            return devices.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    /** The kernel loads a transport by itself when the first port needs it. */
    private boolean isLoadable(String module) {
        Path modules = root.resolve("lib/modules").resolve(kernelRelease());
        return Stream.of("modules.dep", "modules.builtin")
                .map(modules::resolve)
                .flatMap(list -> text(list).stream())
                .flatMap(String::lines)
                .anyMatch(line -> line.split(":", 2)[0].matches(".*/" + module + "\\.ko(\\.\\w+)?"));
    }

    @Override
    public boolean hasAddress(String traddr) {
        try {
            InetAddress address = InetAddress.ofLiteral(traddr);
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public int freeTcpPort(String traddr) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(traddr), 0));
            return socket.getLocalPort();
        }
    }

    @Override
    public Device inspect(Path path) throws IOException {
        Path real = path.toRealPath();
        if (Files.isRegularFile(real)) {
            long blockBytes = Files.getFileStore(real).getBlockSize();
            return new Device(
                    Files.size(real),
                    (int) Math.min(FILE_BLOCK_BYTES_MAX, blockBytes),
                    !canBypassPageCache(real, blockBytes),
                    "file."
                            + Files.readAttributes(real, java.nio.file.attribute.BasicFileAttributes.class)
                                    .fileKey());
        }
        Path link = root.resolve("sys/class/block").resolve(real.getFileName().toString());
        if (!Files.exists(link)) {
            throw new FileSystemException(path.toString(), null, "it is neither a file nor a block device");
        }
        Path block = link.toRealPath();
        // A partition has its disk's queue and number.
        Path disk = Files.isDirectory(block.resolve("queue")) ? block : block.getParent();
        long sectors = Long.parseLong(required(block.resolve("size")));
        int lbaBytes = Integer.parseInt(required(disk.resolve("queue/logical_block_size")));
        String instance = text(disk.resolve("diskseq"))
                .orElseGet(() -> text(disk.resolve("dev")).orElse(disk.toString()));
        return new Device(sectors * SECTOR_BYTES, lbaBytes, false, "disk." + instance);
    }

    /** Tried, because a file system that cannot says so only when it is asked. */
    private static boolean canBypassPageCache(Path file, long blockBytes) {
        int bytes = Math.toIntExact(blockBytes);
        ByteBuffer block =
                ByteBuffer.allocateDirect(2 * bytes).alignedSlice(bytes).limit(bytes);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            channel.read(block, 0);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static String required(Path file) throws NoSuchFileException {
        return text(file).orElseThrow(() -> new NoSuchFileException(file.toString()));
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
