package io.fairlead.worker.engine.nvmet;

import io.fairlead.worker.engine.EngineFault;
import java.util.Optional;

/**
 * What the kernel means when it refuses. The rules of nvmet's configfs are told here once, each with the kernel's reason (Linux 6.12,
 * drivers/nvme/target/configfs.c and core.c, fs/configfs).
 */
enum Refused {
    /** Making a directory in {@code hosts}, or setting its keys. */
    HOST {
        @Override
        Optional<EngineFault> known(String what, ConfigFsException e) {
            return switch (e.errno()) {
                // The key's form is checked when it is written; management has checked it before.
                case EINVAL ->
                    broken(e, "host.key_refused", "The kernel refuses the key, hash or DH group of " + what + ".");
                // configfs keeps the target of a link.
                case EBUSY ->
                    broken(
                            e,
                            "host.in_use",
                            "A subsystem that Fairlead did not make still allows " + what
                                    + ": the kernel keeps the host until that link is removed.");
                default -> Optional.empty();
            };
        }
    },
    SUBSYSTEM {
        @Override
        Optional<EngineFault> known(String what, ConfigFsException e) {
            return switch (e.errno()) {
                // Serial, model and firmware are fixed once a host has identified a controller.
                case EINVAL ->
                    broken(
                            e,
                            "subsystem.attribute_fixed",
                            "The kernel refuses " + attribute(e) + " of " + what
                                    + ": serial and model stay as they are once a host has seen them. Remove the subsystem and make it anew to"
                                    + " change them.");
                case ENOTEMPTY, EBUSY ->
                    broken(
                            e,
                            "subsystem.in_use",
                            "The kernel keeps " + what
                                    + ": a namespace or link that Fairlead did not make is still in it.");
                default -> Optional.empty();
            };
        }
    },
    NAMESPACE {
        @Override
        Optional<EngineFault> known(String what, ConfigFsException e) {
            return switch (e.errno()) {
                case ENOENT, ENODEV, ENXIO ->
                    notYet(
                            e,
                            "namespace.device_absent",
                            "The device of " + what + " is not there. It is taken once it is.");
                // The kernel opens a block device for itself alone.
                case EBUSY ->
                    broken(
                            e,
                            "namespace.device_in_use",
                            "Something else on this head has the device of " + what
                                    + " open for itself: a mount, md, LVM or another target.");
                case EROFS, EACCES, EPERM ->
                    broken(e, "namespace.device_read_only", "The device of " + what + " cannot be written to.");
                case EINVAL ->
                    broken(
                            e,
                            "namespace.attribute_refused",
                            "The kernel refuses " + attribute(e) + " of " + what + ".");
                default -> Optional.empty();
            };
        }
    },
    LISTENER {
        @Override
        Optional<EngineFault> known(String what, ConfigFsException e) {
            return switch (e.errno()) {
                case EADDRNOTAVAIL ->
                    notYet(
                            e,
                            "listener.address_absent",
                            "No interface of this head has the address of " + what
                                    + " (EADDRNOTAVAIL). It listens once one has.");
                case EADDRINUSE ->
                    notYet(
                            e,
                            "listener.address_in_use",
                            "Something else listens on " + what + " (EADDRINUSE). It listens once that has gone.");
                // nvmet_enable_port: the transport's module is not there, or it finds no device for the address.
                case EINVAL, ENODEV, ENXIO, EAFNOSUPPORT ->
                    broken(
                            e,
                            "listener.transport_refused",
                            "The kernel refuses " + attribute(e) + " of " + what
                                    + ": its transport's module is missing or has no device for this address.");
                // Attributes are read-only while a subsystem is linked.
                case EACCES ->
                    broken(
                            e,
                            "listener.attribute_fixed",
                            "The kernel keeps " + attribute(e) + " of " + what + " while a subsystem is linked to it.");
                case EBUSY, ENOTEMPTY ->
                    broken(
                            e,
                            "listener.in_use",
                            "The kernel keeps " + what
                                    + ": a subsystem or referral that Fairlead did not make is linked to it.");
                default -> Optional.empty();
            };
        }
    };

    abstract Optional<EngineFault> known(String what, ConfigFsException e);

    /** The fault in words; what is not known is told in the kernel's. */
    EngineFault explain(String what, ConfigFsException e) {
        return known(what, e).orElseGet(() -> switch (e.errno()) {
            case EACCES, EPERM, EROFS ->
                EngineFault.broken(
                        "engine.not_permitted",
                        "The worker may not change the kernel's target (" + e.getMessage() + "). Run it as root.",
                        e);
            default ->
                EngineFault.broken(
                        "engine.kernel_refused",
                        "The kernel refused a change of " + what + ": " + e.getMessage() + ".",
                        e);
        });
    }

    private static String attribute(ConfigFsException e) {
        return e.path().substring(e.path().lastIndexOf('/') + 1);
    }

    private static Optional<EngineFault> broken(ConfigFsException e, String code, String text) {
        return Optional.of(EngineFault.broken(code, text, e));
    }

    private static Optional<EngineFault> notYet(ConfigFsException e, String code, String text) {
        return Optional.of(EngineFault.notYet(code, text, e));
    }
}
