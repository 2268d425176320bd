package io.fairlead.worker.engine.embedded;

import io.fairlead.core.NamespaceId;
import io.fairlead.nvme.target.BlockDevice;
import io.fairlead.nvme.target.DeviceStatus;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.TargetSpec.NamespaceSpec;
import io.fairlead.worker.engine.embedded.device.DeviceTooSmallException;
import io.fairlead.worker.engine.embedded.device.FileDevice;
import io.fairlead.worker.engine.embedded.tcp.TcpTransport;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The open devices of the engine, one per namespace. Used by the reconciler's thread. */
final class Devices {

    private static final System.Logger LOG = System.getLogger(Devices.class.getName());
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(5);

    private record Open(NamespaceSpec spec, FileDevice device) {}

    private final TcpTransport transport;
    private final Map<NamespaceId, Open> open = new HashMap<>();
    private final List<Open> replaced = new ArrayList<>();

    Devices(TcpTransport transport) {
        this.transport = transport;
    }

    /** Opens the device of a namespace. */
    FileDevice open(NamespaceSpec wanted) throws EngineFault {
        try {
            FileDevice device = FileDevice.open(wanted.device(), wanted.lbaBytes(), wanted.sizeBytes());
            open.put(wanted.id(), new Open(wanted, device));
            LOG.log(
                    Level.INFO,
                    "event=device_open namespace={0} path={1} caching={2} because=\"{3}\"",
                    wanted.id(),
                    wanted.device(),
                    device.caching(),
                    device.cachingReason());
            return device;
        } catch (NoSuchFileException e) {
            throw EngineFault.notYet(
                    "namespace.device_absent", "There is nothing at " + wanted.device() + " yet (ENOENT).", e);
        } catch (DeviceTooSmallException e) {
            throw tooSmall(wanted, wanted.sizeBytes(), e);
        } catch (AccessDeniedException e) {
            throw EngineFault.broken(
                    "namespace.device_denied", "The worker may not open " + wanted.device() + " (EACCES).", e);
        } catch (IOException e) {
            throw failed(wanted, "Opening", e);
        }
    }

    /** Opens anew a device that has failed; the old one stays with its namespace until {@link #closeReplaced}. */
    FileDevice reopen(NamespaceSpec wanted) throws EngineFault {
        Open old = open.get(wanted.id());
        FileDevice device = open(wanted);
        replaced.add(old);
        return device;
    }

    void closeReplaced() {
        replaced.forEach(this::release);
        replaced.clear();
    }

    private static EngineFault failed(NamespaceSpec namespace, String what, IOException cause) {
        return EngineFault.broken(
                "namespace.device_failed",
                what + " " + namespace.device() + " failed: " + cause.getMessage() + ".",
                cause);
    }

    private static EngineFault tooSmall(NamespaceSpec namespace, long wantedBytes, DeviceTooSmallException cause) {
        return EngineFault.broken(
                "namespace.device_too_small",
                namespace.device() + " has " + cause.presentBytes() + " bytes, and the namespace shall have "
                        + wantedBytes + ".",
                cause);
    }

    /** Serves more of the device, which must have grown. */
    void grow(NamespaceId id, long sizeBytes) throws EngineFault {
        Open present = open.get(id);
        try {
            present.device.grow(sizeBytes);
        } catch (DeviceTooSmallException e) {
            throw tooSmall(present.spec, sizeBytes, e);
        } catch (IOException e) {
            throw failed(present.spec, "Looking at", e);
        }
    }

    Optional<FileDevice> device(NamespaceId id) {
        return Optional.ofNullable(open.get(id)).map(Open::device);
    }

    Optional<NamespaceId> namespaceOn(BlockDevice device) {
        return open.entrySet().stream()
                .filter(entry -> entry.getValue().device == device)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Why the device serves no longer; empty while it does. */
    Optional<DeviceStatus> failure(NamespaceId id) {
        return device(id).flatMap(FileDevice::failure);
    }

    String identity(NamespaceId id) {
        return open.get(id).spec.deviceIdentity();
    }

    /** Closes the device of a namespace that is no longer served. */
    void close(NamespaceId id) {
        Open present = open.remove(id);
        if (present != null) {
            release(present);
        }
    }

    private void release(Open present) {
        if (!transport.release(present.device, RELEASE_LIMIT)) {
            LOG.log(
                    Level.WARNING,
                    "event=device_hung namespace={0} path={1}: it closes when its last operation ends",
                    present.spec.id(),
                    present.spec.device());
        }
        closeFile(present);
    }

    /** When the transport is closed: no poll group uses a device any more. */
    void closeAll() {
        open.values().forEach(Devices::closeFile);
        open.clear();
    }

    private static void closeFile(Open present) {
        try {
            present.device.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "closing " + present.spec.device() + " failed", e);
        }
    }
}
