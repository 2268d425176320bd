package io.fairlead.nvme.target;

import io.fairlead.nvme.spec.AdminOpcode;
import io.fairlead.nvme.spec.FeatureId;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;
import io.fairlead.nvme.wire.PropertyCommand;
import io.fairlead.nvme.wire.SubmissionEntry;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/** The admin queue of one controller: properties, features, events, keep-alive. Owned by the queue's poll group. */
final class AdminCommands {

    /** KAS: the timer counts in units of 100 ms, and a host's value is rounded up to this many of them. */
    static final int KEEP_ALIVE_GRANULARITY_100MS = 10;

    private static final long KEEP_ALIVE_GRANULARITY_NANOS =
            TimeUnit.MILLISECONDS.toNanos(KEEP_ALIVE_GRANULARITY_100MS * 100L);

    /** 2.0. */
    static final long VERSION = 0x0002_0000L;

    /** Ready within 15 s, in units of 500 ms; we take none. */
    private static final long READY_TIMEOUT = 0x1E;

    private static final long CAP_CONTIGUOUS_QUEUES = 1L << 16;
    private static final long CAP_NVM_COMMAND_SET = 1L << 37;
    private static final long CAP_READY_WITH_MEDIA = 1L << 59;

    private static final long FEATURE_SAVE = 1L << 31;
    private static final int SELECT_SUPPORTED = 0b011;
    private static final long FEATURE_CHANGEABLE = 0b100;
    private static final int ABORT_NOT_DONE = 1;

    private final FabricQueue queue;
    private final Target target;
    private final Controller controller;
    private final Identification identification;
    private final Logs logs;
    private long keepAliveMillis;
    private long lastHeardNanos;
    private long arbitration;
    private long powerManagement;
    private long temperatureThreshold;
    private long errorRecovery;

    AdminCommands(FabricQueue queue, Target target, Controller controller) {
        this.queue = queue;
        this.target = target;
        this.controller = controller;
        this.identification = new Identification(queue, controller);
        this.logs = new Logs(queue, target, controller);
        this.lastHeardNanos = queue.group().nowNanos();
    }

    void onKeepAliveTimeout(long millis) {
        keepAliveMillis = millis;
    }

    /**
     * The host is alive. Any admin command shows it, not only Keep Alive: a host sends none of those before it has authenticated and
     * enabled the controller, which may take longer than its own time limit.
     */
    void onHeard() {
        lastHeardNanos = queue.group().nowNanos();
    }

    void onTick(long nowNanos) {
        if (keepAliveMillis == 0) {
            return;
        }
        long granules = Math.ceilDiv(TimeUnit.MILLISECONDS.toNanos(keepAliveMillis), KEEP_ALIVE_GRANULARITY_NANOS) + 1;
        if (nowNanos - lastHeardNanos > granules * KEEP_ALIVE_GRANULARITY_NANOS) {
            controller.end();
        }
    }

    // Properties

    void onPropertyGet(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        int bytes = PropertyCommand.bytes(sqe);
        long property = PropertyCommand.property(sqe);
        if (bytes == 8 && property == PropertyCommand.CAP) {
            queue.complete(command, capabilities());
            return;
        }
        if (bytes != 4) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        queue.complete(
                command,
                switch ((int) property) {
                    case PropertyCommand.VS -> VERSION;
                    case PropertyCommand.CC -> Integer.toUnsignedLong(controller.configuration());
                    case PropertyCommand.CSTS -> controller.status();
                    case PropertyCommand.CRTO -> READY_TIMEOUT;
                    default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
                });
    }

    private long capabilities() {
        return target.settings().queueDepth() - 1L
                | CAP_CONTIGUOUS_QUEUES
                | READY_TIMEOUT << 24
                | CAP_NVM_COMMAND_SET
                | CAP_READY_WITH_MEDIA;
    }

    void onPropertySet(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        if (PropertyCommand.bytes(sqe) != 4 || PropertyCommand.property(sqe) != PropertyCommand.CC) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        controller.configuration((int) PropertyCommand.value(sqe));
        queue.complete(command, 0);
    }

    // Admin commands

    void work(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        if (SubmissionEntry.fuse(sqe) != 0) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        int opcode = SubmissionEntry.opcode(sqe);
        if (opcode == AdminOpcode.KEEP_ALIVE) {
            queue.complete(command, 0);
            return;
        }
        if (!controller.isEnabled()) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        switch (opcode) {
            case AdminOpcode.IDENTIFY -> identification.onIdentify(command);
            case AdminOpcode.GET_LOG_PAGE -> logs.onGetLogPage(command);
            case AdminOpcode.SET_FEATURES -> onSetFeatures(command);
            case AdminOpcode.GET_FEATURES -> onGetFeatures(command);
            case AdminOpcode.ASYNCHRONOUS_EVENT_REQUEST -> controller.events().onRequest(command);
            case AdminOpcode.ABORT -> onAbort(command);
            default -> throw CommandFault.of(StatusCode.INVALID_COMMAND_OPCODE);
        }
    }

    /** Only event requests wait long enough to be aborted; anything else runs to its end. */
    private void onAbort(FabricCommand command) {
        long dword10 = SubmissionEntry.dword(command.sqe(), 10);
        boolean ofThisQueue = (dword10 & 0xFFFF) == 0;
        FabricCommand aborted = ofThisQueue ? controller.events().abort((int) (dword10 >>> 16)) : null;
        if (aborted == null) {
            queue.complete(command, ABORT_NOT_DONE);
            return;
        }
        queue.fail(aborted, StatusCode.COMMAND_ABORT_REQUESTED, Retry.ALLOWED);
        queue.complete(command, 0);
    }

    // Features (NVM Express Base 2.0, sections 5.15 and 5.27)

    private void onSetFeatures(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        long dword10 = SubmissionEntry.dword(sqe, 10);
        long value = SubmissionEntry.dword(sqe, 11);
        if ((dword10 & FEATURE_SAVE) != 0) {
            throw CommandFault.of(StatusCode.FEATURE_NOT_SAVEABLE);
        }
        long result = 0;
        switch ((int) (dword10 & 0xFF)) {
            case FeatureId.ARBITRATION -> arbitration = value;
            case FeatureId.POWER_MANAGEMENT -> setPowerState(value);
            case FeatureId.TEMPERATURE_THRESHOLD -> temperatureThreshold = value & 0xFFFF;
            case FeatureId.ERROR_RECOVERY -> errorRecovery = value;
            case FeatureId.VOLATILE_WRITE_CACHE -> {
                requireWriteCache();
                controller.writeCacheEnabled((value & 1) != 0);
            }
            case FeatureId.NUMBER_OF_QUEUES -> result = grantQueues(value);
            case FeatureId.ASYNCHRONOUS_EVENT_CONFIGURATION ->
                controller.events().enabled((int) value);
            case FeatureId.KEEP_ALIVE_TIMER -> keepAliveMillis = value;
            default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        queue.complete(command, result);
    }

    /** The feature exists only together with the cache (section 5.27.1.4). */
    private void requireWriteCache() throws CommandFault {
        if (!controller.hasVolatileWriteCache()) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
    }

    /** There is one power state, number 0. */
    private void setPowerState(long value) throws CommandFault {
        if ((value & 0x1F) != 0) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        powerManagement = value;
    }

    /**
     * Both halves are 0-based; 65535 is not allowed. As many are granted as there are of the scarcer kind. It is too late once there are
     * queues (section 5.27.1.5).
     */
    private long grantQueues(long value) throws CommandFault {
        long submission = value & 0xFFFF;
        long completion = value >>> 16 & 0xFFFF;
        if (submission == 0xFFFF || completion == 0xFFFF || controller.kind() != Controller.Kind.IO) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        if (controller.hasIoQueues()) {
            throw CommandFault.of(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        int granted = (int)
                Math.min(Math.min(submission, completion) + 1, target.settings().ioQueues());
        controller.ioQueuesGranted(granted);
        return queuesResult();
    }

    private long queuesResult() {
        long zeroBased = controller.ioQueuesGranted() - 1L;
        return zeroBased << 16 | zeroBased;
    }

    private void onGetFeatures(FabricCommand command) throws CommandFault {
        long dword10 = SubmissionEntry.dword(command.sqe(), 10);
        int feature = (int) (dword10 & 0xFF);
        int select = (int) (dword10 >>> 8 & 0b111);
        if (feature == FeatureId.HOST_IDENTIFIER) {
            onGetHostIdentifier(command);
            return;
        }
        long current = currentValue(feature);
        queue.complete(
                command,
                switch (select) {
                    case 0 -> current;
                    // Nothing is saved, so the saved value is the default.
                    case 1, 2 -> defaultValue(feature);
                    case SELECT_SUPPORTED -> FEATURE_CHANGEABLE;
                    default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
                });
    }

    private long currentValue(int feature) throws CommandFault {
        return switch (feature) {
            case FeatureId.ARBITRATION -> arbitration;
            case FeatureId.POWER_MANAGEMENT -> powerManagement;
            case FeatureId.TEMPERATURE_THRESHOLD -> temperatureThreshold;
            case FeatureId.ERROR_RECOVERY -> errorRecovery;
            case FeatureId.VOLATILE_WRITE_CACHE -> {
                requireWriteCache();
                yield controller.writeCacheEnabled() ? 1 : 0;
            }
            case FeatureId.NUMBER_OF_QUEUES -> queuesResult();
            case FeatureId.ASYNCHRONOUS_EVENT_CONFIGURATION ->
                Integer.toUnsignedLong(controller.events().enabled());
            case FeatureId.KEEP_ALIVE_TIMER -> keepAliveMillis;
            default -> throw CommandFault.of(StatusCode.INVALID_FIELD);
        };
    }

    private long defaultValue(int feature) {
        return switch (feature) {
            case FeatureId.VOLATILE_WRITE_CACHE -> 1;
            case FeatureId.NUMBER_OF_QUEUES -> {
                long zeroBased = target.settings().ioQueues() - 1L;
                yield zeroBased << 16 | zeroBased;
            }
            default -> 0;
        };
    }

    /** On a fabric it is always the extended one of 16 bytes (section 5.27.1.25). */
    private void onGetHostIdentifier(FabricCommand command) throws CommandFault {
        if ((SubmissionEntry.dword(command.sqe(), 11) & 1) == 0) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        byte[] identifier = controller.hostIdentifier();
        queue.replyBuffer(command, identifier.length).copyFrom(MemorySegment.ofArray(identifier));
        queue.complete(command, 0);
    }
}
