package io.fairlead.nvme.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes of each PDU, written out by hand from the figures of section 3.6 of the TCP Transport Specification 1.0. */
class PduLayout {

    private final WireBuffer out = WireBuffer.allocate(512);
    private final PduWriter writer = new PduWriter();

    private String hex(int length) {
        byte[] bytes = new byte[length];
        out.bytes().get(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldLayOutIcReq() {
        assertThat(writer.icReq(out, 0, 3, Digests.HEADER_AND_DATA, 0x01020304)).isEqualTo(128);
        assertThat(hex(128)).isEqualTo("0000800080000000" + "0000" + "03" + "03" + "04030201" + "00".repeat(112));
        assertThat(IcReq.formatVersion(out.segment(), 0)).isZero();
        assertThat(IcReq.hostDataAlignment(out.segment(), 0)).isEqualTo(3);
        assertThat(IcReq.digests(out.segment(), 0)).isEqualTo(Digests.HEADER_AND_DATA);
        assertThat(IcReq.maxR2t(out.segment(), 0)).isEqualTo(0x01020304);
    }

    @Test
    void shouldLayOutIcResp() {
        assertThat(writer.icResp(out, 0, 2, Digests.HEADER, 131072)).isEqualTo(128);
        assertThat(hex(128)).isEqualTo("0100800080000000" + "0000" + "02" + "01" + "00000200" + "00".repeat(112));
        assertThat(IcResp.controllerDataAlignment(out.segment(), 0)).isEqualTo(2);
        assertThat(IcResp.maxH2cData(out.segment(), 0)).isEqualTo(131072);
    }

    @Test
    void shouldLayOutTerminationRequestsWithTheOffendingHeader() {
        WireBuffer header = WireBuffer.allocate(24);
        header.bytes().put(0, (byte) 0x55);
        PduFault fault = PduFault.invalidField(10, "a transfer tag");
        assertThat(writer.termReq(out, 0, PduDirection.CONTROLLER_TO_HOST, fault, header.segment(), 24))
                .isEqualTo(48);
        assertThat(hex(48))
                .isEqualTo("0300180030000000" + "0100" + "0a000000" + "00".repeat(10) + "55" + "00".repeat(23));
        writer.termReq(out, 0, PduDirection.HOST_TO_CONTROLLER, fault, header.segment(), 8);
        assertThat(hex(8)).isEqualTo("0200180020000000");
        assertThat(TermReq.fatalError(out.segment(), 0)).isEqualTo(1);
        assertThat(TermReq.information(out.segment(), 0)).isEqualTo(10);
    }

    @Test
    void shouldLayOutCapsules() {
        WireBuffer entry = WireBuffer.allocate(64);
        entry.bytes().put(0, (byte) 0xAA).put(63, (byte) 0xBB);
        assertThat(writer.capsuleCmd(out, 0, entry.segment(), 0, 0)).isEqualTo(72);
        assertThat(hex(72)).isEqualTo("0400480048000000" + "aa" + "00".repeat(62) + "bb");
        assertThat(writer.capsuleCmd(out, 0, entry.segment(), 0, 512)).isEqualTo(72);
        assertThat(hex(8)).isEqualTo("0400484848020000");
        assertThat(writer.capsuleResp(out, 0, entry.segment(), 0)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0500180018000000" + "aa" + "00".repeat(15));
    }

    @Test
    void shouldLayOutTransfers() {
        assertThat(writer.h2cData(out, 0, 0x1234, 0x5678, 4096, 8192, PduWriter.Position.LAST))
                .isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0604181818200000" + "3412" + "7856" + "00100000" + "00200000" + "00000000");
        assertThat(writer.c2hData(out, 0, 0x1234, 4096, 8192, PduWriter.Position.LAST_AND_SUCCESS))
                .isEqualTo(24);
        assertThat(hex(24)).isEqualTo("070c181818200000" + "3412" + "0000" + "00100000" + "00200000" + "00000000");
        assertThat(writer.r2t(out, 0, 0x1234, 0x5678, 4096, 8192)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0900180018000000" + "3412" + "7856" + "00100000" + "00200000" + "00000000");
        assertThat(R2t.commandId(out.segment(), 0)).isEqualTo(0x1234);
        assertThat(R2t.transferTag(out.segment(), 0)).isEqualTo(0x5678);
        assertThat(R2t.dataOffset(out.segment(), 0)).isEqualTo(4096);
        assertThat(R2t.dataLength(out.segment(), 0)).isEqualTo(8192);
    }

    @Test
    void shouldPutDigestsAndLengthsAsTheLinuxInitiatorExpectsThem() {
        writer.onHandshakeDone(Digests.HEADER_AND_DATA, 4);
        WireBuffer entry = WireBuffer.allocate(64);
        assertThat(writer.capsuleCmd(out, 0, entry.segment(), 0, 512)).isEqualTo(76);
        assertThat(hex(8)).isEqualTo("0403484c50020000");
        assertThat(writer.c2hData(out, 0, 1, 0, 512, PduWriter.Position.LAST)).isEqualTo(28);
        assertThat(hex(8)).isEqualTo("0707181c20020000");
        assertThat(writer.capsuleResp(out, 0, entry.segment(), 0)).isEqualTo(28);
        assertThat(hex(8)).isEqualTo("050118001c000000");
    }

    @Test
    void shouldUseTheCastagnoliPolynomialLeastSignificantByteFirst() {
        writer.onHandshakeDone(Digests.DATA, 4);
        WireBuffer data = WireBuffer.allocate(9);
        data.bytes().put(0, "123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(writer.dataDigest(out, 0, data, 0, 9)).isEqualTo(4);
        // The check value of CRC-32C is E3069283h (RFC 3720, appendix B.4 uses the same polynomial).
        assertThat(hex(4)).isEqualTo("839206e3");
    }

    @Test
    void shouldAlignDataAsThePeerAsked() {
        writer.onHandshakeDone(Digests.HEADER, 128);
        assertThat(writer.c2hData(out, 0, 1, 0, 512, PduWriter.Position.LAST)).isEqualTo(128);
        assertThat(CommonHeader.dataOffset(out.segment(), 0)).isEqualTo(128);
        assertThat(CommonHeader.length(out.segment(), 0)).isEqualTo(128 + 512);
    }
}
