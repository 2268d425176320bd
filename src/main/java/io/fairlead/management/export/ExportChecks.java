package io.fairlead.management.export;

import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldError;
import io.fairlead.core.FieldErrors;
import io.fairlead.management.host.HostService;
import io.fairlead.management.pool.VolumeService;
import io.fairlead.management.subsystem.SubsystemService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Says everything that is wrong with a request for an export before anything is written. */
@ApplicationScoped
class ExportChecks {

    private static final int NAME_CHARACTERS_MAX = 223;
    private static final int ITEMS_MAX = 256;
    private static final int PORT_MAX = 65_535;

    private final HostService hosts;
    private final VolumeService volumes;
    private final SubsystemService subsystems;

    ExportChecks(HostService hosts, VolumeService volumes, SubsystemService subsystems) {
        this.hosts = hosts;
        this.volumes = volumes;
        this.subsystems = subsystems;
    }

    void check(ExportCreate request) {
        FieldErrors errors = new FieldErrors();
        if (request.name() != null
                && (request.name().isBlank() || request.name().length() > NAME_CHARACTERS_MAX)) {
            errors.add(FailureCode.REQUEST_INVALID, "/name", "Give a name of 1 to 223 characters.");
        }
        checkSubsystem(request, errors);
        checkNamespaces(request, errors);
        List<ExportHostCreate> asked = orEmpty(request.hosts());
        checkCount(asked, "/hosts", errors);
        for (int i = 0; i < asked.size(); i++) {
            check(asked.get(i), "/hosts/" + i, errors);
        }
        checkListeners(orEmpty(request.listeners()), errors);
        errors.throwIfAny();
    }

    private void checkSubsystem(ExportCreate request, FieldErrors errors) {
        if (request.subsystem() != null && request.subsystemId() != null) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/subsystem",
                    "Give a new subsystem or the id of an existing one, not both.");
        }
        if (request.subsystem() != null) {
            subsystems.check(request.subsystem(), "/subsystem", errors);
        }
    }

    private void checkNamespaces(ExportCreate request, FieldErrors errors) {
        ExportNamespaceCreate single = request.namespace();
        if (request.namespaces() != null && !single.isEmpty()) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/namespaces",
                    "Give either namespaces or one of volume, volumeId and driveId.");
            return;
        }
        if (request.namespaces() != null) {
            checkCount(request.namespaces(), "/namespaces", errors);
            for (int i = 0; i < request.namespaces().size(); i++) {
                check(request.namespaces().get(i), "/namespaces/" + i, errors);
            }
        } else if (!single.isEmpty()) {
            check(single, "", errors);
        } else if (request.subsystemId() == null) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/volume",
                    "An export needs data: give a volume, a volumeId, a driveId, or the subsystemId of a subsystem with namespaces.");
        }
    }

    private void check(ExportNamespaceCreate namespace, String pointer, FieldErrors errors) {
        if (namespace == null) {
            errors.required(pointer);
            return;
        }
        int given = (namespace.volume() == null ? 0 : 1)
                + (namespace.volumeId() == null ? 0 : 1)
                + (namespace.driveId() == null ? 0 : 1);
        if (given != 1) {
            errors.add(FailureCode.REQUEST_INVALID, pointer, "Give exactly one of volume, volumeId and driveId.");
        }
        if (namespace.volume() != null) {
            volumes.check(namespace.volume(), pointer + "/volume", errors);
        }
        if (namespace.agreedSignature() != null && namespace.driveId() == null) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer + "/agreedSignature",
                    "An agreed signature goes with a drive; leave it out.");
        }
    }

    void check(ExportHostCreate host, String pointer, FieldErrors errors) {
        if (host == null) {
            errors.required(pointer);
        } else if (host.hostId() != null && host.isCreate()) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer + "/hostId",
                    "Give the hostId of an existing host or the fields of a new one, not both.");
        } else if (host.hostId() == null) {
            hosts.check(host.create(), pointer, errors);
        }
    }

    private static void checkListeners(List<ExportListenerCreate> asked, FieldErrors errors) {
        if (asked.isEmpty()) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/listeners",
                    "Give at least one listener, such as {\"transport\":\"tcp\",\"traddr\":\"192.0.2.1\",\"trsvcid\":4420}.");
        }
        checkCount(asked, "/listeners", errors);
        for (int i = 0; i < asked.size(); i++) {
            check(asked.get(i), "/listeners/" + i, errors);
        }
    }

    private static void check(ExportListenerCreate listener, String pointer, FieldErrors errors) {
        if (listener == null) {
            errors.required(pointer);
            return;
        }
        if (listener.listenerId() != null && listener.isAddress()) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    pointer + "/listenerId",
                    "Give the listenerId of an existing listener or an address, not both.");
        }
        if (listener.listenerId() == null && listener.traddr() == null) {
            errors.required(pointer + "/traddr");
        }
        if (listener.trsvcid() != null && (listener.trsvcid() < 0 || listener.trsvcid() > PORT_MAX)) {
            errors.add(FailureCode.REQUEST_INVALID, pointer + "/trsvcid", "Give a port from 0 to 65535.");
        }
    }

    private static void checkCount(List<?> items, String pointer, FieldErrors errors) {
        if (items.size() > ITEMS_MAX) {
            errors.add(FailureCode.REQUEST_INVALID, pointer, "Give at most " + ITEMS_MAX + " items.");
        }
    }

    static <T> List<T> orEmpty(List<T> items) {
        return items == null ? List.of() : items;
    }

    /** Runs a part of the request and lets its failure point into the whole of it. */
    static <T> T at(String pointer, Supplier<T> part) {
        try {
            return part.get();
        } catch (Failure failure) {
            throw moved(failure, pointer);
        }
    }

    private static Failure moved(Failure failure, String pointer) {
        Failure whole = failure.errors().isEmpty()
                ? Failure.ofField(failure.code(), pointer, failure.getMessage())
                : Failure.ofFields(
                        failure.code(),
                        failure.errors().stream()
                                .map(error -> new FieldError(pointer + error.pointer(), error.code(), error.detail()))
                                .toList());
        for (Map.Entry<String, Object> extension : failure.extensions().entrySet()) {
            whole = whole.with(extension.getKey(), extension.getValue());
        }
        return whole.because(failure.internal(), failure);
    }
}
