package io.fairlead.worker.inventory.health;

import io.fairlead.nvme.spec.AdminOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/** {@code struct nvme_passthru_cmd} of {@code linux/nvme_ioctl.h}, in the byte order of the machine, with the memory for its answer. */
final class PassthruCommand {

    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            ValueLayout.JAVA_BYTE.withName("opcode"),
            ValueLayout.JAVA_BYTE.withName("flags"),
            ValueLayout.JAVA_SHORT.withName("rsvd1"),
            ValueLayout.JAVA_INT.withName("nsid"),
            ValueLayout.JAVA_INT.withName("cdw2"),
            ValueLayout.JAVA_INT.withName("cdw3"),
            ValueLayout.JAVA_LONG.withName("metadata"),
            ValueLayout.JAVA_LONG.withName("addr"),
            ValueLayout.JAVA_INT.withName("metadata_len"),
            ValueLayout.JAVA_INT.withName("data_len"),
            ValueLayout.JAVA_INT.withName("cdw10"),
            ValueLayout.JAVA_INT.withName("cdw11"),
            ValueLayout.JAVA_INT.withName("cdw12"),
            ValueLayout.JAVA_INT.withName("cdw13"),
            ValueLayout.JAVA_INT.withName("cdw14"),
            ValueLayout.JAVA_INT.withName("cdw15"),
            ValueLayout.JAVA_INT.withName("timeout_ms"),
            ValueLayout.JAVA_INT.withName("result"));

    /** {@code _IOWR('N', 0x41, struct nvme_passthru_cmd)}: direction, size, type and number, from the top (asm-generic/ioctl.h). */
    static final long NVME_IOCTL_ADMIN_CMD = 3L << 30 | LAYOUT.byteSize() << 16 | (long) 'N' << 8 | 0x41;

    /**
     * As long as the kernel waits for its own admin commands. A command that runs out of time makes the kernel reset the controller, which
     * the hosts behind it would feel: being less patient than the kernel would do harm.
     */
    static final int TIMEOUT_MILLIS = 60_000;

    private static final int ALL_NAMESPACES = 0xFFFFFFFF;
    private static final int RETAIN_ASYNCHRONOUS_EVENT = 1 << 15;
    private static final int NUMD_SHIFT = 16;
    private static final int NUMDL_MASK = 0xFFFF;

    private final MemorySegment command;
    private final MemorySegment data;

    private PassthruCommand(Arena arena, int opcode, int lengthBytes) {
        command = arena.allocate(LAYOUT);
        data = arena.allocate(lengthBytes, Long.BYTES);
        command.set(ValueLayout.JAVA_BYTE, offset("opcode"), (byte) opcode);
        command.set(ValueLayout.JAVA_LONG, offset("addr"), data.address());
        put("data_len", lengthBytes);
        put("timeout_ms", TIMEOUT_MILLIS);
    }

    /** Identify (NVM Express Base 2.1, section 5.1.13). */
    static PassthruCommand identify(Arena arena, int cns, int lengthBytes) {
        PassthruCommand identify = new PassthruCommand(arena, AdminOpcode.IDENTIFY, lengthBytes);
        identify.put("cdw10", cns);
        return identify;
    }

    /** Get Log Page (NVM Express Base 2.1, section 5.1.12). */
    static PassthruCommand getLogPage(Arena arena, int identifier, int lengthBytes) {
        PassthruCommand log = new PassthruCommand(arena, AdminOpcode.GET_LOG_PAGE, lengthBytes);
        int dwords = lengthBytes / Integer.BYTES - 1;
        log.put("nsid", ALL_NAMESPACES);
        log.put("cdw10", identifier | RETAIN_ASYNCHRONOUS_EVENT | (dwords & NUMDL_MASK) << NUMD_SHIFT);
        log.put("cdw11", dwords >>> NUMD_SHIFT);
        return log;
    }

    MemorySegment segment() {
        return command;
    }

    byte[] data() {
        return data.toArray(ValueLayout.JAVA_BYTE);
    }

    private void put(String field, int value) {
        command.set(ValueLayout.JAVA_INT, offset(field), value);
    }

    static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }
}
