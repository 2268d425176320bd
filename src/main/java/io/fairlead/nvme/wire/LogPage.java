package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.SubmissionEntry.dword;

import java.lang.foreign.MemorySegment;

/** Get Log Page (NVM Express Base 2.0, section 5.16) and the offsets of the log pages. */
public final class LogPage {

    public static final int SUPPORTED_BYTES = 1024;
    public static final int ERROR_ENTRY_BYTES = 64;
    public static final int SMART_BYTES = 512;
    public static final int FIRMWARE_BYTES = 512;
    public static final int CHANGED_NAMESPACES_BYTES = 4096;
    public static final int EFFECTS_BYTES = 4096;

    public static final int SMART_AVAILABLE_SPARE_OFFSET = 3;
    public static final int SMART_SPARE_THRESHOLD_OFFSET = 4;
    public static final int SMART_DATA_READ_OFFSET = 32;
    public static final int SMART_DATA_WRITTEN_OFFSET = 48;
    public static final int SMART_READ_COMMANDS_OFFSET = 64;
    public static final int SMART_WRITE_COMMANDS_OFFSET = 80;

    public static final int EFFECTS_IO_OFFSET = 1024;

    public static final int ANA_HEADER_BYTES = 16;
    public static final int ANA_CHANGE_COUNT_OFFSET = 0;
    public static final int ANA_GROUPS_OFFSET = 8;
    public static final int ANA_DESCRIPTOR_BYTES = 32;
    public static final int ANA_DESCRIPTOR_NSIDS_OFFSET = 4;
    public static final int ANA_DESCRIPTOR_CHANGE_COUNT_OFFSET = 8;
    public static final int ANA_DESCRIPTOR_STATE_OFFSET = 16;

    public static final int DISCOVERY_HEADER_BYTES = 1024;
    public static final int DISCOVERY_GENERATION_OFFSET = 0;
    public static final int DISCOVERY_RECORDS_OFFSET = 8;
    public static final int DISCOVERY_ENTRY_BYTES = 1024;
    public static final int ENTRY_TRTYPE_OFFSET = 0;
    public static final int ENTRY_ADRFAM_OFFSET = 1;
    public static final int ENTRY_SUBTYPE_OFFSET = 2;
    public static final int ENTRY_PORTID_OFFSET = 4;
    public static final int ENTRY_CNTLID_OFFSET = 6;
    public static final int ENTRY_ASQSZ_OFFSET = 8;
    public static final int ENTRY_TRSVCID_OFFSET = 32;
    public static final int ENTRY_TRSVCID_BYTES = 32;
    public static final int ENTRY_SUBNQN_OFFSET = 256;
    public static final int ENTRY_TRADDR_OFFSET = 512;
    public static final int ENTRY_TRADDR_BYTES = 256;
    public static final int ENTRY_SUBTYPE_NVM = 2;

    private LogPage() {}

    public static int identifier(MemorySegment sqe) {
        return (int) (dword(sqe, 10) & 0xFF);
    }

    /** Retain Asynchronous Event: reading does not make the event forgotten. */
    public static boolean retainsEvent(MemorySegment sqe) {
        return (dword(sqe, 10) & 1 << 15) != 0;
    }

    /** LSP bit 0 of the ANA log: groups without their namespaces. */
    public static boolean groupsOnly(MemorySegment sqe) {
        return (dword(sqe, 10) & 1 << 8) != 0;
    }

    /** How many bytes are asked for: NUMDL and NUMDU are a 0-based number of dwords, so up to 16 GiB. */
    public static long bytes(MemorySegment sqe) {
        return ((dword(sqe, 10) >>> 16 | (dword(sqe, 11) & 0xFFFF) << 16) + 1) * 4;
    }

    /** Where in the log; negative for an offset beyond 2^63. */
    public static long offset(MemorySegment sqe) {
        return dword(sqe, 12) | dword(sqe, 13) << 32;
    }
}
