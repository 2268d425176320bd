package io.fairlead.nvme.tcp;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/** Remembers each PDU as one line of text. */
final class RecordingHandler implements PduHandler {

    private final WireBuffer data = WireBuffer.allocate(65536);
    private final Digests digests;
    private final int alignmentBytes;
    final List<String> seen = new ArrayList<>();

    RecordingHandler(Digests digests, int alignmentBytes) {
        this.digests = digests;
        this.alignmentBytes = alignmentBytes;
    }

    @Override
    public void onHeader(PduReader pdu) {
        if (pdu.dataBytes() > 0) {
            pdu.dataInto(data, 16);
        }
    }

    @Override
    public void onPdu(PduReader pdu) {
        byte[] header = new byte[pdu.type().headerBytes()];
        pdu.header().asByteBuffer().get(0, header);
        CRC32 sum = new CRC32();
        sum.update(data.bytes().duplicate().limit(16 + pdu.dataBytes()).position(16));
        seen.add(pdu.type() + " " + HexFormat.of().formatHex(header) + " " + pdu.dataBytes() + " " + sum.getValue()
                + " " + pdu.dataDigestMatches());
        if (pdu.type().isHandshake()) {
            pdu.onHandshakeDone(digests, alignmentBytes);
        }
    }
}
