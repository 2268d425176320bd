package io.fairlead.nvme.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.spec.StatusCode;
import io.fairlead.nvme.spec.StatusCode.Retry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Entries of queues, byte by byte, from the figures of NVM Express Base 2.0, section 3.3.3, and of its sections 5 and 6. */
class EntryLayout {

    /** An entry in which each byte has its own offset as its value. */
    private static MemorySegment counting(int bytes) {
        MemorySegment segment = MemorySegment.ofArray(new byte[bytes]);
        for (int at = 0; at < bytes; at++) {
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) at);
        }
        return segment;
    }

    @Test
    void shouldReadEachFieldOfASubmissionEntryFromItsPlace() {
        MemorySegment sqe = counting(64);

        assertThat(SubmissionEntry.BYTES).isEqualTo(64);
        assertThat(SubmissionEntry.opcode(sqe)).isZero();
        assertThat(SubmissionEntry.cid(sqe)).isEqualTo(0x0302);
        assertThat(SubmissionEntry.nsid(sqe)).isEqualTo(0x0706_0504L);
        assertThat(SubmissionEntry.fabricsType(sqe)).isEqualTo(4);
        assertThat(SubmissionEntry.sglAddress(sqe)).isEqualTo(0x1F1E_1D1C_1B1A_1918L);
        assertThat(SubmissionEntry.sglLength(sqe)).isEqualTo(0x2322_2120L);
        assertThat(SubmissionEntry.sglType(sqe)).isEqualTo(0x27);
        assertThat(SubmissionEntry.dword(sqe, 10)).isEqualTo(0x2B2A_2928L);
        assertThat(SubmissionEntry.dword(sqe, 15)).isEqualTo(0x3F3E_3D3CL);
        assertThat(SubmissionEntry.startingLba(sqe)).isEqualTo(0x2F2E_2D2C_2B2A_2928L);
        assertThat(SubmissionEntry.blocks(sqe)).isEqualTo(0x3130 + 1);
    }

    @Test
    void shouldTellTheBitsOfASubmissionEntryApart() {
        MemorySegment sqe = MemorySegment.ofArray(new byte[64]);
        assertThat(SubmissionEntry.hasSgl(sqe)).isFalse();
        sqe.set(ValueLayout.JAVA_BYTE, 1, (byte) 0b0100_0000);
        assertThat(SubmissionEntry.hasSgl(sqe)).isTrue();
        assertThat(SubmissionEntry.fuse(sqe)).isZero();
        sqe.set(ValueLayout.JAVA_BYTE, 1, (byte) 0b0100_0010);
        assertThat(SubmissionEntry.fuse(sqe)).isEqualTo(2);
        sqe.set(ValueLayout.JAVA_BYTE, 51, (byte) 0b0100_0000);
        assertThat(SubmissionEntry.forceUnitAccess(sqe)).isTrue();
        assertThat(SubmissionEntry.mayDeallocate(sqe)).isFalse();
        sqe.set(ValueLayout.JAVA_BYTE, 51, (byte) 0b0000_0010);
        assertThat(SubmissionEntry.forceUnitAccess(sqe)).isFalse();
        assertThat(SubmissionEntry.mayDeallocate(sqe)).isTrue();
    }

    @Test
    void shouldTakeTheLengthOfAKeyedDescriptorFromItsThreeBytes() {
        MemorySegment sqe = counting(64);
        sqe.set(ValueLayout.JAVA_BYTE, 39, (byte) 0x40);

        assertThat(SubmissionEntry.sglLength(sqe)).isEqualTo(0x22_2120L);
    }

    @Test
    void shouldLayOutACompletionEntry() {
        MemorySegment cqe = MemorySegment.ofArray(new byte[16]);
        CompletionEntry.put(
                cqe, 0x8877_6655_4433_2211L, 0xABCD, 0x1234, StatusCode.CONNECT_INVALID_PARAMETERS.field(Retry.NEVER));

        assertThat(HexFormat.of().formatHex(cqe.toArray(ValueLayout.JAVA_BYTE)))
                .isEqualTo("1122334455667788" + "cdab" + "0000" + "3412" + "0483");
        assertThat(CompletionEntry.result(cqe)).isEqualTo(0x8877_6655_4433_2211L);
        assertThat(CompletionEntry.sqhd(cqe)).isEqualTo(0xABCD);
        assertThat(CompletionEntry.cid(cqe)).isEqualTo(0x1234);
        assertThat(CompletionEntry.status(cqe)).isEqualTo(0x8304);
    }

    @Test
    void shouldPutStatusCodesWhereHostsLookForThem() {
        assertThat(StatusCode.SUCCESS.field(Retry.ALLOWED)).isZero();
        assertThat(StatusCode.INVALID_FIELD.field(Retry.NEVER) >>> 1 & 0x7FF).isEqualTo(0x002);
        assertThat(StatusCode.CONNECT_INVALID_HOST.field(Retry.ALLOWED) >>> 1).isEqualTo(0x184);
        assertThat(StatusCode.AUTHENTICATION_REQUIRED.field(Retry.ALLOWED) >>> 1)
                .isEqualTo(0x191);
        assertThat(StatusCode.UNRECOVERED_READ_ERROR.field(Retry.ALLOWED) >>> 1).isEqualTo(0x281);
        assertThat(StatusCode.ANA_TRANSITION.field(Retry.ALLOWED) >>> 1).isEqualTo(0x303);
        assertThat(AnaState.CHANGE.code()).isEqualTo(0xF);
    }

    @Test
    void shouldReadEachFieldOfConnectFromItsPlace() {
        MemorySegment sqe = counting(64);
        assertThat(ConnectCommand.recordFormat(sqe)).isEqualTo(0x2928);
        assertThat(ConnectCommand.qid(sqe)).isEqualTo(0x2B2A);
        assertThat(ConnectCommand.sqSize(sqe)).isEqualTo(0x2D2C);
        assertThat(ConnectCommand.attributes(sqe)).isEqualTo(0x2E);
        assertThat(ConnectCommand.keepAliveMillis(sqe)).isEqualTo(0x3332_3130L);

        MemorySegment data = MemorySegment.ofArray(new byte[ConnectCommand.DATA_BYTES]);
        assertThat(data.byteSize()).isEqualTo(1024);
        data.set(ValueLayout.JAVA_BYTE, 16, (byte) 0x34);
        data.set(ValueLayout.JAVA_BYTE, 17, (byte) 0x12);
        data.set(ValueLayout.JAVA_BYTE, 256, (byte) 's');
        data.set(ValueLayout.JAVA_BYTE, 512, (byte) 'h');
        assertThat(ConnectCommand.cntlid(data)).isEqualTo(0x1234);
        assertThat(ConnectCommand.subsystemNqn(data)).isEqualTo("s");
        assertThat(ConnectCommand.hostNqn(data)).isEqualTo("h");
        data.asSlice(512, 256).fill((byte) 'h');
        assertThat(ConnectCommand.hostNqn(data)).as("a name without an end").isNull();
    }

    @Test
    void shouldReadEachFieldOfPropertyAndAuthenticationCommandsFromItsPlace() {
        MemorySegment sqe = counting(64);
        assertThat(PropertyCommand.property(sqe)).isEqualTo(0x2F2E_2D2CL);
        assertThat(PropertyCommand.value(sqe)).isEqualTo(0x3736_3534_3332_3130L);
        assertThat(AuthenticationCommand.length(sqe)).isEqualTo(0x2F2E_2D2CL);
        assertThat(AuthenticationCommand.isNvmeProtocol(sqe)).isFalse();

        sqe.set(ValueLayout.JAVA_BYTE, 40, (byte) 0);
        assertThat(PropertyCommand.bytes(sqe)).isEqualTo(4);
        sqe.set(ValueLayout.JAVA_BYTE, 40, (byte) 1);
        assertThat(PropertyCommand.bytes(sqe)).isEqualTo(8);
        sqe.set(ValueLayout.JAVA_BYTE, 40, (byte) 2);
        assertThat(PropertyCommand.bytes(sqe)).isZero();
        sqe.set(ValueLayout.JAVA_BYTE, 41, (byte) 1);
        sqe.set(ValueLayout.JAVA_BYTE, 42, (byte) 1);
        sqe.set(ValueLayout.JAVA_BYTE, 43, (byte) 0xE9);
        assertThat(AuthenticationCommand.isNvmeProtocol(sqe)).isTrue();
    }

    @Test
    void shouldReadLengthAndOffsetOfGetLogPageInAllTheirBits() {
        MemorySegment sqe = MemorySegment.ofArray(new byte[64]);
        assertThat(LogPage.bytes(sqe)).as("0-based dwords").isEqualTo(4);
        sqe.asSlice(40, 4).copyFrom(MemorySegment.ofArray(new byte[] {0x0C, (byte) 0x81, (byte) 0xFF, (byte) 0xFF}));
        assertThat(LogPage.identifier(sqe)).isEqualTo(0x0C);
        assertThat(LogPage.retainsEvent(sqe)).isTrue();
        assertThat(LogPage.groupsOnly(sqe)).isTrue();
        assertThat(LogPage.bytes(sqe)).isEqualTo(0x1_0000L * 4);
        sqe.set(ValueLayout.JAVA_BYTE, 44, (byte) 1);
        assertThat(LogPage.bytes(sqe)).isEqualTo(0x2_0000L * 4);
        sqe.set(ValueLayout.JAVA_BYTE, 48, (byte) 8);
        sqe.set(ValueLayout.JAVA_BYTE, 52, (byte) 1);
        assertThat(LogPage.offset(sqe)).isEqualTo(0x1_0000_0008L);
    }
}
