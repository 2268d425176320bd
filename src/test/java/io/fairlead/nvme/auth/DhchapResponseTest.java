package io.fairlead.nvme.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.DhchapHash;
import io.fairlead.nvme.spec.DhchapKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.IntUnaryOperator;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Known answers, computed with Python's hmac and hashlib from the formulas of the specification. */
class DhchapResponseTest {

    private static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    private static final String SUBSYSTEM = "nqn.2026-01.io.fairlead:volume-1";
    private static final int TRANSACTION_ID = 0xFFFE;
    private static final int SEQUENCE = 0x8000_0001;

    @ParameterizedTest
    @CsvFileSource(resources = "dhchap-responses.csv", numLinesToSkip = 1)
    void shouldComputeTheKnownAnswers(
            int hashId, int keyHashId, int sharedSecretBytes, String hostAnswer, String controllerAnswer) {
        DhchapHash hash = DhchapHash.ofId(hashId).orElseThrow();
        DhchapKey key = key(keyHashId);
        byte[] challenge = bytes(hash.digestBytes(), index -> 200 - index);
        byte[] sharedSecret = bytes(sharedSecretBytes, index -> index * index + 1);

        byte[] ofHost = new DhchapResponse(DhchapResponse.Role.HOST, HOST, SUBSYSTEM, hash, TRANSACTION_ID, SEQUENCE)
                .compute(key, challenge, sharedSecret);
        byte[] ofController = new DhchapResponse(
                        DhchapResponse.Role.CONTROLLER, SUBSYSTEM, HOST, hash, TRANSACTION_ID, SEQUENCE)
                .compute(key, challenge, sharedSecret);

        assertThat(HexFormat.of().formatHex(ofHost)).isEqualTo(hostAnswer);
        assertThat(HexFormat.of().formatHex(ofController)).isEqualTo(controllerAnswer);
    }

    private static DhchapKey key(int hashId) {
        byte[] secret =
                bytes(DhchapHash.ofId(hashId).map(DhchapHash::digestBytes).orElse(48), index -> index * 7 + 3);
        CRC32 crc = new CRC32();
        crc.update(secret);
        byte[] body = ByteBuffer.allocate(secret.length + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(secret)
                .putInt((int) crc.getValue())
                .array();
        String text = "DHHC-1:0" + hashId + ":" + Base64.getEncoder().encodeToString(body) + ":";
        return ((DhchapKey.Parsed.Valid) DhchapKey.parse(text)).key();
    }

    private static byte[] bytes(int count, IntUnaryOperator value) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) value.applyAsInt(index);
        }
        return bytes;
    }
}
