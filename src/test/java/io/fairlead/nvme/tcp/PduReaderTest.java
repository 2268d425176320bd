package io.fairlead.nvme.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PduReaderTest {

    private static final int STREAM_BYTES = 1 << 20;

    private static PduReader reader(PduDirection direction, PduHandler handler) {
        return new PduReader(direction, handler, RandomPdus.CAPSULE_DATA_MAX, RandomPdus.TRANSFER_MAX);
    }

    /** A reader whose handshake is done. */
    private static PduReader ready(PduDirection direction, Digests digests) throws PduFault {
        PduReader reader = reader(direction, new RecordingHandler(digests, 4));
        WireBuffer out = WireBuffer.allocate(256);
        int end = new RandomPdus(new Random(1), digests, 4).handshake(out, 0, direction);
        reader.read(out, 0, end);
        return reader;
    }

    @Property(tries = 200)
    void shouldReadTheSameWhereverTheStreamIsCut(
            @ForAll long seed, @ForAll PduDirection direction, @ForAll Digests digests) throws PduFault {
        Random random = new Random(seed);
        RandomPdus pdus = new RandomPdus(random, digests, 4);
        WireBuffer stream = WireBuffer.allocate(STREAM_BYTES);
        int end = pdus.handshake(stream, 0, direction);
        int count = 1;
        while (end < 60_000) {
            end = pdus.next(stream, end, direction, 5000);
            count++;
        }
        RecordingHandler whole = new RecordingHandler(digests, 4);
        reader(direction, whole).read(stream, 0, end);
        assertThat(whole.seen).hasSize(count).allMatch(line -> line.endsWith("true"));

        RecordingHandler cut = new RecordingHandler(digests, 4);
        PduReader cutReader = reader(direction, cut);
        int mode = random.nextInt(3);
        for (int at = 0; at < end; ) {
            int limit = mode == 0 ? 3 : mode == 1 ? 200 : 20_000;
            int length = Math.min(end - at, 1 + random.nextInt(limit));
            int direct = Math.min(length, cutReader.directBytesWanted());
            if (direct > 0 && random.nextBoolean()) {
                cutReader.directBuffer().bytes().put(cutReader.directOffset(), stream.bytes(), at, direct);
                cutReader.onDirectBytes(direct);
                at += direct;
            } else {
                cutReader.read(stream, at, length);
                at += length;
            }
        }
        assertThat(cut.seen).isEqualTo(whole.seen);
        assertThat(cutReader.isBetweenPdus()).isTrue();
    }

    private static Arguments wrong(
            String what,
            PduDirection direction,
            Digests digests,
            FatalError error,
            int information,
            Consumer<Draft> draft) {
        return Arguments.of(what, direction, digests, error, information, draft);
    }

    /** One PDU being spoiled. */
    private static final class Draft {
        final WireBuffer out = WireBuffer.allocate(65536);
        final PduWriter writer = new PduWriter();
        int length;

        ByteBuffer bytes() {
            return out.bytes();
        }

        void command(int dataBytes) {
            length = writer.capsuleCmd(out, 0, WireBuffer.allocate(64).segment(), 0, dataBytes) + dataBytes;
            length += writer.dataDigest(out, length, out, length - dataBytes, dataBytes);
        }

        void h2cData(int dataBytes) {
            length = writer.h2cData(out, 0, 1, 2, 0, dataBytes, PduWriter.Position.LAST) + dataBytes;
        }
    }

    static Stream<Arguments> malformed() {
        PduDirection in = PduDirection.HOST_TO_CONTROLLER;
        PduDirection back = PduDirection.CONTROLLER_TO_HOST;
        FatalError field = FatalError.INVALID_PDU_HEADER_FIELD;
        FatalError sequence = FatalError.PDU_SEQUENCE_ERROR;
        List<Arguments> all = new ArrayList<>();
        for (int code : new int[] {0x08, 0x0A, 0x7F, 0xFF}) {
            all.add(wrong("unknown type " + code, in, Digests.NONE, field, 0, d -> {
                d.command(0);
                d.bytes().put(0, (byte) code);
            }));
        }
        all.add(wrong(
                "PDU of the other direction",
                in,
                Digests.NONE,
                sequence,
                0,
                d -> d.length = d.writer.r2t(d.out, 0, 1, 1, 0, 4096)));
        all.add(wrong(
                "second ICReq",
                in,
                Digests.NONE,
                sequence,
                0,
                d -> d.length = d.writer.icReq(d.out, 0, 0, Digests.NONE, 0)));
        all.add(wrong(
                "second ICResp",
                back,
                Digests.NONE,
                sequence,
                0,
                d -> d.length = d.writer.icResp(d.out, 0, 0, Digests.NONE, 4096)));
        all.add(wrong("HLEN 71", in, Digests.NONE, field, 2, d -> {
            d.command(0);
            d.bytes().put(2, (byte) 71);
        }));
        all.add(wrong("header digest flag without agreement", in, Digests.NONE, field, 1, d -> {
            d.command(0);
            d.bytes().put(1, (byte) 1);
        }));
        all.add(wrong("header digest flag missing", in, Digests.HEADER, field, 1, d -> {
            d.writer.onHandshakeDone(Digests.HEADER, 4);
            d.command(0);
            d.bytes().put(1, (byte) 0);
        }));
        all.add(wrong("header digest wrong", in, Digests.HEADER, FatalError.HEADER_DIGEST_ERROR, 0, d -> {
            d.writer.onHandshakeDone(Digests.HEADER, 4);
            d.command(0);
            d.bytes().put(20, (byte) 1);
        }));
        all.add(wrong(
                "PLEN damaged under a header digest", in, Digests.HEADER, FatalError.HEADER_DIGEST_ERROR, 0, d -> {
                    d.writer.onHandshakeDone(Digests.HEADER, 4);
                    d.command(0);
                    d.bytes().putInt(4, 9999);
                }));
        all.add(wrong("data digest flag missing", in, Digests.DATA, field, 1, d -> {
            d.writer.onHandshakeDone(Digests.DATA, 4);
            d.command(512);
            d.bytes().put(1, (byte) 0);
        }));
        all.add(wrong("data digest flag without agreement", in, Digests.NONE, field, 1, d -> {
            d.command(512);
            d.bytes().put(1, (byte) 2);
        }));
        for (long length : new long[] {0, 71, 0x8000_0048L, 0xFFFF_FFFFL}) {
            boolean data = length > 72;
            all.add(wrong("PLEN " + length + " of a command", in, Digests.NONE, field, 4, d -> {
                d.command(data ? 512 : 0);
                d.bytes().put(3, (byte) 72);
                d.bytes().putInt(4, (int) length);
            }));
        }
        all.add(wrong("PLEN without room for the data digest", in, Digests.DATA, field, 4, d -> {
            d.writer.onHandshakeDone(Digests.DATA, 4);
            d.command(512);
            d.bytes().putInt(4, 72 + 4);
        }));
        all.add(wrong("PDO into the header", in, Digests.NONE, field, 3, d -> {
            d.command(512);
            d.bytes().put(3, (byte) 68);
        }));
        all.add(wrong("PDO not aligned", in, Digests.NONE, field, 3, d -> {
            d.command(512);
            d.bytes().put(3, (byte) 74);
        }));
        all.add(wrong("PDO 0 with data", in, Digests.NONE, field, 3, d -> {
            d.command(512);
            d.bytes().put(3, (byte) 0);
        }));
        all.add(wrong("PDO behind the end", in, Digests.NONE, field, 4, d -> {
            d.command(8);
            d.bytes().put(3, (byte) 200);
        }));
        all.add(wrong(
                "too much data in a capsule",
                in,
                Digests.NONE,
                FatalError.TRANSFER_LIMIT_EXCEEDED,
                0,
                d -> d.command(RandomPdus.CAPSULE_DATA_MAX + 4)));
        all.add(wrong(
                "more than MAXH2CDATA",
                in,
                Digests.NONE,
                FatalError.TRANSFER_LIMIT_EXCEEDED,
                0,
                d -> d.h2cData(RandomPdus.TRANSFER_MAX + 4)));
        all.add(wrong("DATAL not what PLEN says", in, Digests.NONE, field, 16, d -> {
            d.h2cData(512);
            d.bytes().putInt(16, 516);
        }));
        all.add(wrong("H2CData without data", in, Digests.NONE, field, 3, d -> d.h2cData(0)));
        all.add(wrong("termination too short", in, Digests.NONE, field, 4, d -> {
            d.length = 24;
            CommonHeader.put(d.out.segment(), 0, PduType.H2C_TERM_REQ, 0, 0, 23);
        }));
        all.add(wrong("termination too long", in, Digests.NONE, field, 4, d -> {
            d.length = 24;
            CommonHeader.put(d.out.segment(), 0, PduType.H2C_TERM_REQ, 0, 0, 153);
        }));
        all.add(wrong("PLEN of a response", back, Digests.NONE, field, 4, d -> {
            d.length = d.writer.capsuleResp(d.out, 0, WireBuffer.allocate(16).segment(), 0);
            d.bytes().putInt(4, 28);
        }));
        all.add(wrong(
                "R2T for nothing", back, Digests.NONE, field, 16, d -> d.length = d.writer.r2t(d.out, 0, 1, 1, 0, 0)));
        all.add(wrong("SUCCESS without LAST_PDU", back, Digests.NONE, field, 1, d -> {
            d.length = d.writer.c2hData(d.out, 0, 1, 0, 512, PduWriter.Position.MORE_FOLLOW) + 512;
            d.bytes().put(1, (byte) 8);
        }));
        return all.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void shouldNameTheFaultOfEachMalformedPdu(
            String what,
            PduDirection direction,
            Digests digests,
            FatalError error,
            int information,
            Consumer<Draft> draft)
            throws PduFault {
        PduReader reader = ready(direction, digests);
        Draft pdu = new Draft();
        draft.accept(pdu);
        PduFault fault = catchThrowableOfType(PduFault.class, () -> reader.read(pdu.out, 0, pdu.length));
        assertThat(fault).as(what).isNotNull();
        assertThat(fault.error()).isEqualTo(error);
        assertThat(fault.information()).isEqualTo(information);
        assertThatCode(() -> reader.read(pdu.out, 0, pdu.length))
                .as("what comes after a fault is swallowed")
                .doesNotThrowAnyException();
    }

    static Stream<Arguments> malformedHandshakes() {
        PduDirection in = PduDirection.HOST_TO_CONTROLLER;
        PduDirection back = PduDirection.CONTROLLER_TO_HOST;
        FatalError field = FatalError.INVALID_PDU_HEADER_FIELD;
        Consumer<Draft> request = d -> d.length = d.writer.icReq(d.out, 0, 0, Digests.NONE, 0);
        Consumer<Draft> response = d -> d.length = d.writer.icResp(d.out, 0, 0, Digests.NONE, 8192);
        return Stream.of(
                wrong("command first", in, Digests.NONE, FatalError.PDU_SEQUENCE_ERROR, 0, d -> d.command(0)),
                wrong(
                        "PFV 1",
                        in,
                        Digests.NONE,
                        FatalError.UNSUPPORTED_PARAMETER,
                        8,
                        request.andThen(d -> d.bytes().put(8, (byte) 1))),
                wrong(
                        "HPDA 32",
                        in,
                        Digests.NONE,
                        field,
                        10,
                        request.andThen(d -> d.bytes().put(10, (byte) 32))),
                wrong(
                        "ICReq of 132 bytes",
                        in,
                        Digests.NONE,
                        field,
                        4,
                        request.andThen(d -> d.bytes().putInt(4, 132))),
                wrong(
                        "ICReq with HLEN 24",
                        in,
                        Digests.NONE,
                        field,
                        2,
                        request.andThen(d -> d.bytes().put(2, (byte) 24))),
                wrong(
                        "ICResp PFV 1",
                        back,
                        Digests.NONE,
                        FatalError.UNSUPPORTED_PARAMETER,
                        8,
                        response.andThen(d -> d.bytes().put(8, (byte) 1))),
                wrong(
                        "CPDA 32",
                        back,
                        Digests.NONE,
                        field,
                        10,
                        response.andThen(d -> d.bytes().put(10, (byte) 32))),
                wrong(
                        "MAXH2CDATA 2048",
                        back,
                        Digests.NONE,
                        field,
                        12,
                        response.andThen(d -> d.bytes().putInt(12, 2048))),
                wrong(
                        "MAXH2CDATA 4098",
                        back,
                        Digests.NONE,
                        field,
                        12,
                        response.andThen(d -> d.bytes().putInt(12, 4098))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformedHandshakes")
    void shouldNameTheFaultOfEachMalformedHandshake(
            String what,
            PduDirection direction,
            Digests digests,
            FatalError error,
            int information,
            Consumer<Draft> draft) {
        PduReader reader = reader(direction, new RecordingHandler(digests, 4));
        Draft pdu = new Draft();
        draft.accept(pdu);
        PduFault fault = catchThrowableOfType(PduFault.class, () -> reader.read(pdu.out, 0, pdu.length));
        assertThat(fault).as(what).isNotNull();
        assertThat(fault.error()).isEqualTo(error);
        assertThat(fault.information()).isEqualTo(information);
    }

    @ParameterizedTest
    @EnumSource(names = {"DATA", "HEADER_AND_DATA"})
    void shouldTellAWrongDataDigestWithoutEndingTheStream(Digests digests) throws PduFault {
        RecordingHandler handler = new RecordingHandler(digests, 4);
        PduReader reader = reader(PduDirection.HOST_TO_CONTROLLER, handler);
        RandomPdus pdus = new RandomPdus(new Random(1), digests, 4);
        WireBuffer out = WireBuffer.allocate(65536);
        reader.read(out, 0, pdus.handshake(out, 0, PduDirection.HOST_TO_CONTROLLER));
        Draft pdu = new Draft();
        pdu.writer.onHandshakeDone(digests, 4);
        pdu.command(512);
        pdu.bytes().put(pdu.length - 100, (byte) 1);
        reader.read(pdu.out, 0, pdu.length);
        pdu.command(512);
        reader.read(pdu.out, 0, pdu.length);
        assertThat(handler.seen).hasSize(3);
        assertThat(handler.seen.get(1)).endsWith("false");
        assertThat(handler.seen.get(2)).endsWith("true");
    }

    @Test
    void shouldAcceptTerminationAtAnyTime() throws PduFault {
        Draft pdu = new Draft();
        pdu.length = pdu.writer.termReq(
                pdu.out,
                0,
                PduDirection.HOST_TO_CONTROLLER,
                PduFault.of(FatalError.PDU_SEQUENCE_ERROR, "of the test"),
                WireBuffer.allocate(128).segment(),
                128);
        RecordingHandler handler = new RecordingHandler(Digests.NONE, 4);
        PduReader reader = reader(PduDirection.HOST_TO_CONTROLLER, handler);
        reader.read(pdu.out, 0, pdu.length);
        assertThat(handler.seen).singleElement().asString().startsWith("H2C_TERM_REQ");
        assertThat(reader.isBetweenPdus()).isTrue();
    }
}
