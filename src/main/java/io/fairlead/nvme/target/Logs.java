package io.fairlead.nvme.target;

import static io.fairlead.nvme.wire.LittleEndian.text;
import static io.fairlead.nvme.wire.LittleEndian.u16;
import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u64;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import io.fairlead.nvme.spec.AdminOpcode;
import io.fairlead.nvme.spec.IoOpcode;
import io.fairlead.nvme.spec.LogPageId;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.wire.LogPage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Get Log Page (NVM Express Base 2.0, section 5.16). A log is made whole when it is asked for, and the part that was asked for is copied
 * from it. What lies past its end reads as zeros; an offset past its end is an error.
 */
final class Logs {

    private static final int[] SUPPORTED = {
        LogPageId.SUPPORTED_LOG_PAGES,
        LogPageId.ERROR_INFORMATION,
        LogPageId.SMART_HEALTH,
        LogPageId.FIRMWARE_SLOT,
        LogPageId.CHANGED_NAMESPACE_LIST,
        LogPageId.COMMANDS_SUPPORTED_AND_EFFECTS,
        LogPageId.ASYMMETRIC_NAMESPACE_ACCESS
    };
    private static final int[] ADMIN_COMMANDS = {
        AdminOpcode.GET_LOG_PAGE,
        AdminOpcode.IDENTIFY,
        AdminOpcode.ABORT,
        AdminOpcode.SET_FEATURES,
        AdminOpcode.GET_FEATURES,
        AdminOpcode.ASYNCHRONOUS_EVENT_REQUEST,
        AdminOpcode.KEEP_ALIVE
    };
    private static final int[] READING_COMMANDS = {IoOpcode.FLUSH, IoOpcode.READ};
    private static final int[] WRITING_COMMANDS = {IoOpcode.WRITE, IoOpcode.WRITE_ZEROES, IoOpcode.DATASET_MANAGEMENT};

    private static final int COMMAND_SUPPORTED = 1;
    private static final int CONTENT_CHANGES = 1 << 1;
    private static final int SPARE_PERCENT = 100;
    private static final int SPARE_PERCENT_MIN = 10;
    private static final int ENTRY_CNTLID_DYNAMIC = 0xFFFF;
    private static final int ADMIN_QUEUE_ENTRIES = 32;

    private final FabricQueue queue;
    private final Target target;
    private final Controller controller;

    Logs(FabricQueue queue, Target target, Controller controller) {
        this.queue = queue;
        this.target = target;
        this.controller = controller;
    }

    void onGetLogPage(FabricCommand command) throws CommandFault {
        MemorySegment sqe = command.sqe();
        long bytes = LogPage.bytes(sqe);
        long offset = LogPage.offset(sqe);
        if (bytes > queue.settings().transferBytesMax() || (offset & 0b11) != 0) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        MemorySegment log = build(sqe);
        if (offset < 0 || offset > log.byteSize()) {
            throw CommandFault.of(StatusCode.INVALID_FIELD);
        }
        MemorySegment reply = queue.replyBuffer(command, (int) bytes);
        long available = Math.min(bytes, log.byteSize() - offset);
        MemorySegment.copy(log, offset, reply, 0, available);
        if (!LogPage.retainsEvent(sqe)) {
            onRead(LogPage.identifier(sqe));
        }
        queue.complete(command, 0);
    }

    private void onRead(int identifier) {
        Events events = controller.events();
        switch (identifier) {
            case LogPageId.CHANGED_NAMESPACE_LIST -> {
                events.changedNamespaces().clear();
                events.onLogRead(Events.Notice.NAMESPACE_CHANGED);
            }
            case LogPageId.ASYMMETRIC_NAMESPACE_ACCESS -> events.onLogRead(Events.Notice.ANA_CHANGED);
            case LogPageId.DISCOVERY -> events.onLogRead(Events.Notice.DISCOVERY_CHANGED);
            default -> {
                // No event belongs to the other logs.
            }
        }
    }

    private MemorySegment build(MemorySegment sqe) throws CommandFault {
        int identifier = LogPage.identifier(sqe);
        if (controller.kind() == Controller.Kind.DISCOVERY) {
            if (identifier != LogPageId.DISCOVERY) {
                throw CommandFault.of(StatusCode.INVALID_LOG_PAGE);
            }
            return discovery();
        }
        return switch (identifier) {
            case LogPageId.SUPPORTED_LOG_PAGES -> supported();
            case LogPageId.ERROR_INFORMATION -> zeros(LogPage.ERROR_ENTRY_BYTES);
            case LogPageId.SMART_HEALTH -> smart();
            case LogPageId.FIRMWARE_SLOT -> firmware();
            case LogPageId.CHANGED_NAMESPACE_LIST -> changedNamespaces();
            case LogPageId.COMMANDS_SUPPORTED_AND_EFFECTS -> effects();
            case LogPageId.ASYMMETRIC_NAMESPACE_ACCESS -> ana(LogPage.groupsOnly(sqe));
            default -> throw CommandFault.of(StatusCode.INVALID_LOG_PAGE);
        };
    }

    private static MemorySegment zeros(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    private static MemorySegment supported() {
        MemorySegment log = zeros(LogPage.SUPPORTED_BYTES);
        for (int identifier : SUPPORTED) {
            u32(log, identifier * 4L, 1);
        }
        return log;
    }

    /** What the target knows: it has no thermometer and does not wear. Counters are of this association. */
    private MemorySegment smart() {
        MemorySegment log = zeros(LogPage.SMART_BYTES);
        u8(log, LogPage.SMART_AVAILABLE_SPARE_OFFSET, SPARE_PERCENT);
        u8(log, LogPage.SMART_SPARE_THRESHOLD_OFFSET, SPARE_PERCENT_MIN);
        long readBytes = 0;
        long writtenBytes = 0;
        long reads = 0;
        long writes = 0;
        for (IoCounters counters : controller.counters()) {
            readBytes += counters.readBytes();
            writtenBytes += counters.writtenBytes();
            reads += counters.reads();
            writes += counters.writes();
        }
        // In thousands of 512 bytes, rounded up (section 5.16.1.3).
        u64(log, LogPage.SMART_DATA_READ_OFFSET, Math.ceilDiv(readBytes, 512_000L));
        u64(log, LogPage.SMART_DATA_WRITTEN_OFFSET, Math.ceilDiv(writtenBytes, 512_000L));
        u64(log, LogPage.SMART_READ_COMMANDS_OFFSET, reads);
        u64(log, LogPage.SMART_WRITE_COMMANDS_OFFSET, writes);
        return log;
    }

    private MemorySegment firmware() {
        MemorySegment log = zeros(LogPage.FIRMWARE_BYTES);
        u8(log, 0, 1);
        text(log, 8, 8, queue.settings().firmwareRevision(), ' ');
        return log;
    }

    private MemorySegment changedNamespaces() {
        MemorySegment log = zeros(LogPage.CHANGED_NAMESPACES_BYTES);
        var changed = controller.events().changedNamespaces();
        if (changed.size() > Events.CHANGED_NAMESPACES_MAX) {
            u32(log, 0, 0xFFFF_FFFFL);
            return log;
        }
        long at = 0;
        for (int nsid : changed) {
            u32(log, at, nsid);
            at += Integer.BYTES;
        }
        return log;
    }

    private static MemorySegment effects() {
        MemorySegment log = zeros(LogPage.EFFECTS_BYTES);
        for (int opcode : ADMIN_COMMANDS) {
            u32(log, opcode * 4L, COMMAND_SUPPORTED);
        }
        for (int opcode : READING_COMMANDS) {
            u32(log, LogPage.EFFECTS_IO_OFFSET + opcode * 4L, COMMAND_SUPPORTED);
        }
        for (int opcode : WRITING_COMMANDS) {
            u32(log, LogPage.EFFECTS_IO_OFFSET + opcode * 4L, COMMAND_SUPPORTED | CONTENT_CHANGES);
        }
        return log;
    }

    private MemorySegment ana(boolean groupsOnly) {
        SubsystemModel model = controller.subsystem().model();
        Map<Integer, List<Integer>> groups = new TreeMap<>();
        model.namespaces()
                .values()
                .forEach(namespace -> groups.computeIfAbsent(namespace.anaGroup(), group -> new ArrayList<>())
                        .add(namespace.nsid()));
        int named = groupsOnly ? 0 : model.namespaces().size();
        MemorySegment log =
                zeros(LogPage.ANA_HEADER_BYTES + groups.size() * LogPage.ANA_DESCRIPTOR_BYTES + named * Integer.BYTES);
        u64(log, LogPage.ANA_CHANGE_COUNT_OFFSET, model.anaChangeCount());
        u16(log, LogPage.ANA_GROUPS_OFFSET, groups.size());
        long at = LogPage.ANA_HEADER_BYTES;
        for (Map.Entry<Integer, List<Integer>> group : groups.entrySet()) {
            List<Integer> members = groupsOnly ? List.of() : group.getValue();
            u32(log, at, group.getKey());
            u32(log, at + LogPage.ANA_DESCRIPTOR_NSIDS_OFFSET, members.size());
            u64(log, at + LogPage.ANA_DESCRIPTOR_CHANGE_COUNT_OFFSET, model.anaChangeCount());
            u8(
                    log,
                    at + LogPage.ANA_DESCRIPTOR_STATE_OFFSET,
                    model.anaState(controller.listener(), group.getKey()).code());
            at += LogPage.ANA_DESCRIPTOR_BYTES;
            for (int nsid : members) {
                u32(log, at, nsid);
                at += Integer.BYTES;
            }
        }
        return log;
    }

    /** Only what this host may use (NVMe over Fabrics 1.1a, section 5). */
    private MemorySegment discovery() {
        record Entry(SubsystemModel subsystem, ListenerAddress listener) {}
        // The generation is read first: a change in between makes the host read again.
        long generation = target.discoveryGeneration();
        List<Entry> entries = new ArrayList<>();
        target.subsystems().stream()
                .filter(subsystem -> subsystem.admits(controller.hostNqn()))
                .sorted(java.util.Comparator.comparing(SubsystemModel::nqn))
                .forEach(subsystem -> subsystem.listeners().stream()
                        .sorted(java.util.Comparator.<UUID>naturalOrder())
                        .flatMap(id -> target.listener(id).stream())
                        .forEach(listener -> entries.add(new Entry(subsystem, listener))));
        MemorySegment log = zeros(LogPage.DISCOVERY_HEADER_BYTES + entries.size() * LogPage.DISCOVERY_ENTRY_BYTES);
        u64(log, LogPage.DISCOVERY_GENERATION_OFFSET, generation);
        u64(log, LogPage.DISCOVERY_RECORDS_OFFSET, entries.size());
        long at = LogPage.DISCOVERY_HEADER_BYTES;
        for (Entry entry : entries) {
            writeEntry(
                    log.asSlice(at, LogPage.DISCOVERY_ENTRY_BYTES),
                    entry.subsystem().nqn(),
                    entry.listener());
            at += LogPage.DISCOVERY_ENTRY_BYTES;
        }
        return log;
    }

    private static void writeEntry(MemorySegment entry, String nqn, ListenerAddress listener) {
        u8(entry, LogPage.ENTRY_TRTYPE_OFFSET, listener.transport().code());
        u8(entry, LogPage.ENTRY_ADRFAM_OFFSET, listener.adrfam().code());
        u8(entry, LogPage.ENTRY_SUBTYPE_OFFSET, LogPage.ENTRY_SUBTYPE_NVM);
        u16(entry, LogPage.ENTRY_PORTID_OFFSET, listener.portId());
        u16(entry, LogPage.ENTRY_CNTLID_OFFSET, ENTRY_CNTLID_DYNAMIC);
        u16(entry, LogPage.ENTRY_ASQSZ_OFFSET, ADMIN_QUEUE_ENTRIES);
        text(entry, LogPage.ENTRY_TRSVCID_OFFSET, LogPage.ENTRY_TRSVCID_BYTES, listener.trsvcid(), ' ');
        text(entry, LogPage.ENTRY_SUBNQN_OFFSET, 256, nqn, '\0');
        text(entry, LogPage.ENTRY_TRADDR_OFFSET, LogPage.ENTRY_TRADDR_BYTES, listener.traddr(), ' ');
    }
}
