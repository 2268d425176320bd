package io.fairlead.nvme.wire;

import static io.fairlead.nvme.wire.LittleEndian.u32;
import static io.fairlead.nvme.wire.LittleEndian.u8;

import java.lang.foreign.MemorySegment;

/** Authentication Send and Authentication Receive (NVM Express Base 2.0, sections 6.1 and 6.2). */
public final class AuthenticationCommand {

    public static final int SPSP0_OFFSET = 41;
    public static final int SPSP1_OFFSET = 42;
    public static final int SECP_OFFSET = 43;
    public static final int LENGTH_OFFSET = 44;

    private static final int SECP_NVME = 0xE9;
    private static final int SPSP_DHCHAP = 1;

    private AuthenticationCommand() {}

    /** Whether the security protocol is that of NVMe in-band authentication. */
    public static boolean isNvmeProtocol(MemorySegment sqe) {
        return u8(sqe, SECP_OFFSET) == SECP_NVME
                && u8(sqe, SPSP0_OFFSET) == SPSP_DHCHAP
                && u8(sqe, SPSP1_OFFSET) == SPSP_DHCHAP;
    }

    /** TL of Send, AL of Receive. */
    public static long length(MemorySegment sqe) {
        return u32(sqe, LENGTH_OFFSET);
    }
}
