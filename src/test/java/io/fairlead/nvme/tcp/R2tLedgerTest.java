package io.fairlead.nvme.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class R2tLedgerTest {

    private final R2tLedger ledger = new R2tLedger(4);
    private final WireBuffer out = WireBuffer.allocate(64);
    private final PduWriter writer = new PduWriter();

    private int accept(int commandId, int tag, int offset, int length, PduWriter.Position position) throws PduFault {
        writer.h2cData(out, 0, commandId, tag, offset, length, position);
        return ledger.accept(out.segment(), 0);
    }

    @Test
    void shouldTakeATransferInPiecesFromFrontToBack() throws PduFault {
        ledger.open(3, 77, 8192, 12288);
        assertThat(accept(77, 3, 8192, 8192, PduWriter.Position.MORE_FOLLOW)).isEqualTo(3);
        assertThat(ledger.onArrived(3, 8192)).isFalse();
        assertThat(accept(77, 3, 16384, 4096, PduWriter.Position.LAST)).isEqualTo(3);
        assertThat(ledger.onArrived(3, 4096)).isTrue();
        assertThat(ledger.outstanding()).isZero();
    }

    @Test
    void shouldKeepSeveralTransfersApart() throws PduFault {
        ledger.open(0, 10, 0, 4096);
        ledger.open(1, 11, 0, 4096);
        assertThat(accept(11, 1, 0, 4096, PduWriter.Position.LAST)).isEqualTo(1);
        ledger.onArrived(1, 4096);
        assertThat(accept(10, 0, 0, 4096, PduWriter.Position.LAST)).isZero();
        ledger.onArrived(0, 4096);
        assertThat(ledger.outstanding()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "77, 2, 0, 4096, LAST, INVALID_PDU_HEADER_FIELD, 10",
        "77, 4, 0, 4096, LAST, INVALID_PDU_HEADER_FIELD, 10",
        "77, 65535, 0, 4096, LAST, INVALID_PDU_HEADER_FIELD, 10",
        "78, 3, 0, 4096, LAST, INVALID_PDU_HEADER_FIELD, 8",
        "77, 3, 4, 4092, LAST, DATA_TRANSFER_OUT_OF_RANGE, 0",
        "77, 3, -4, 4, MORE_FOLLOW, DATA_TRANSFER_OUT_OF_RANGE, 0",
        "77, 3, 0, 4100, LAST, DATA_TRANSFER_OUT_OF_RANGE, 0",
        "77, 3, 0, -1, LAST, DATA_TRANSFER_OUT_OF_RANGE, 0",
        "77, 3, 0, 4092, LAST, PDU_SEQUENCE_ERROR, 0",
        "77, 3, 0, 4096, MORE_FOLLOW, PDU_SEQUENCE_ERROR, 0",
    })
    void shouldRefuseDataThatWasNotAskedFor(
            int commandId,
            int tag,
            int offset,
            int length,
            PduWriter.Position position,
            FatalError error,
            int information) {
        ledger.open(3, 77, 0, 4096);
        PduFault fault = catchThrowableOfType(PduFault.class, () -> accept(commandId, tag, offset, length, position));
        assertThat(fault.error()).isEqualTo(error);
        assertThat(fault.information()).isEqualTo(information);
    }

    @Test
    void shouldRefuseDataAfterTheTransferIsWhole() throws PduFault {
        ledger.open(3, 77, 0, 4096);
        accept(77, 3, 0, 4096, PduWriter.Position.LAST);
        ledger.onArrived(3, 4096);
        PduFault fault = catchThrowableOfType(PduFault.class, () -> accept(77, 3, 0, 4096, PduWriter.Position.LAST));
        assertThat(fault.information()).isEqualTo(R2t.TTAG_OFFSET);
    }
}
