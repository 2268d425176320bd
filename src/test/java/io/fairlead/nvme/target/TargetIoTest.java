package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.spec.AnaState;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import io.fairlead.nvme.target.LoopbackTransport.Exchange;
import io.fairlead.nvme.target.LoopbackTransport.Network;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The I/O queue: data comes back as it was written, and every check has the status that the specification names. */
class TargetIoTest {

    private static final int INVALID_OPCODE = 0x001;
    private static final int INVALID_FIELD = 0x002;
    private static final int INVALID_NAMESPACE = 0x00B;
    private static final int SGL_LENGTH_INVALID = 0x00F;
    private static final int SGL_TYPE_INVALID = 0x011;
    private static final int SGL_OFFSET_INVALID = 0x016;
    private static final int INTERRUPTED = 0x021;
    private static final int TRANSPORT_ERROR = 0x022;
    private static final int LBA_OUT_OF_RANGE = 0x080;

    private final TargetFixture fixture = new TargetFixture();
    private final LoopbackHost io = fixture.io();

    private static byte[] pattern(int bytes, int seed) {
        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) (i * 31 + seed);
        }
        return data;
    }

    @Test
    void shouldReadBackWhatWasWrittenInTheCapsuleAndByFetch() {
        byte[] small = pattern(4096, 1);
        byte[] large = pattern(16 * 4096, 2);

        assertThat(io.send(HostEntries.inCapsule(HostEntries.write(1, 7, 1, 4096), 4096), small, Delivery.IN_CAPSULE)
                        .status())
                .isZero();
        assertThat(io.send(HostEntries.write(1, 100, 16, large.length), large, Delivery.WHEN_FETCHED)
                        .status())
                .isZero();

        assertThat(io.send(HostEntries.read(1, 7, 1, 4096)).received()).isEqualTo(small);
        assertThat(io.send(HostEntries.read(1, 100, 16, large.length)).received())
                .isEqualTo(large);
    }

    @Test
    void shouldCountInTheBlocksOfTheNamespace() {
        byte[] data = pattern(512, 3);

        assertThat(io.send(HostEntries.write(5, 9, 1, 512), data, Delivery.WHEN_FETCHED)
                        .status())
                .isZero();

        assertThat(fixture.smallBlocks.memory().asSlice(9 * 512, 512).toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(data);
    }

    @Test
    void shouldReachTheLastBlockAndNoFurther() {
        long last = TargetFixture.BLOCKS - 1;

        assertThat(io.send(HostEntries.read(1, last, 1, 4096)).status()).isZero();
        for (long lba : List.of(last + 1, Long.MAX_VALUE, -1L, Long.MIN_VALUE)) {
            Exchange read = io.send(HostEntries.read(1, lba, 1, 4096));
            assertThat(read.status()).isEqualTo(LBA_OUT_OF_RANGE);
            assertThat(read.received()).isEmpty();
        }
        assertThat(io.send(HostEntries.read(1, last, 2, 8192)).status()).isEqualTo(LBA_OUT_OF_RANGE);
        assertThat(io.send(HostEntries.write(1, last, 2, 8192), pattern(8192, 1), Delivery.WHEN_FETCHED)
                        .status())
                .isEqualTo(LBA_OUT_OF_RANGE);
        assertThat(io.send(HostEntries.writeZeroes(1, last, 2)).status()).isEqualTo(LBA_OUT_OF_RANGE);
    }

    @Test
    void shouldRefuseTransfersAboveTheAdvertisedLimit() {
        int limit = 128 * 1024;
        assertThat(io.send(HostEntries.read(1, 0, limit / 4096, limit)).status())
                .isZero();
        assertThat(io.send(HostEntries.read(1, 0, limit / 4096 + 1, limit + 4096))
                        .status())
                .isEqualTo(INVALID_FIELD);
    }

    @Test
    void shouldRefuseADescriptorThatDoesNotFitTheCommand() {
        assertThat(io.send(HostEntries.read(1, 0, 2, 4096)).status()).isEqualTo(SGL_LENGTH_INVALID);
        assertThat(io.send(HostEntries.read(1, 0, 1, 8192)).status()).isEqualTo(SGL_LENGTH_INVALID);
        assertThat(io.send(HostEntries.inCapsule(HostEntries.read(1, 0, 1, 4096), 4096))
                        .status())
                .isEqualTo(SGL_TYPE_INVALID);
        assertThat(io.send(
                                HostEntries.inCapsule(HostEntries.write(1, 0, 1, 4096), 4096),
                                new byte[2048],
                                Delivery.IN_CAPSULE)
                        .status())
                .isEqualTo(SGL_LENGTH_INVALID);
        MemorySegment offset = HostEntries.inCapsule(HostEntries.write(1, 0, 1, 4096), 4096);
        offset.set(HostEntries.U64, 24, 8);
        assertThat(io.send(offset, new byte[4096], Delivery.IN_CAPSULE).status())
                .isEqualTo(SGL_OFFSET_INVALID);
    }

    @Test
    void shouldRefusePhysicalRegionPages() {
        MemorySegment prp = HostEntries.read(1, 0, 1, 4096);
        prp.set(ValueLayout.JAVA_BYTE, 1, (byte) 0);

        assertThat(io.send(prp).status()).isEqualTo(INVALID_FIELD);
    }

    @Test
    void shouldRefuseFusedCommandsUnknownOpcodesAndUnknownNamespaces() {
        MemorySegment fused = HostEntries.read(1, 0, 1, 4096);
        fused.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x41);
        assertThat(io.send(fused).status()).isEqualTo(INVALID_FIELD);
        assertThat(io.send(HostEntries.entry(0x0D, 1)).status()).isEqualTo(INVALID_OPCODE);
        for (long nsid : new long[] {0, 2, 1024, 1025, 0xFFFF_FFFEL, 0xFFFF_FFFFL}) {
            assertThat(io.send(HostEntries.read(nsid, 0, 1, 4096)).status()).isEqualTo(INVALID_NAMESPACE);
            assertThat(io.send(HostEntries.flush(nsid)).status()).isEqualTo(INVALID_NAMESPACE);
        }
    }

    @Test
    void shouldFlushAndZeroAndDeallocate() {
        fixture.device.memory().fill((byte) 0x77);

        assertThat(io.send(HostEntries.flush(1)).status()).isZero();
        assertThat(io.send(HostEntries.writeZeroes(1, 4, 2)).status()).isZero();
        byte[] ranges = HostEntries.rangeList(4096, 10, 1, 20, 3);
        assertThat(io.send(HostEntries.deallocate(1, 2, 4096), ranges, Delivery.IN_CAPSULE)
                        .status())
                .isZero();

        assertThat(fixture.device.flushes()).isEqualTo(1);
        assertThat(fixture.device.deallocations()).isEqualTo(2);
        assertThat(io.send(HostEntries.read(1, 5, 1, 4096)).received()).containsOnly(0);
        assertThat(io.send(HostEntries.read(1, 6, 1, 4096)).received()).containsOnly(0x77);
    }

    @Test
    void shouldDeallocateNothingWhenOneRangeIsOutside() {
        byte[] ranges = HostEntries.rangeList(4096, 10, 1, TargetFixture.BLOCKS - 1, 2);

        assertThat(io.send(HostEntries.deallocate(1, 2, 4096), ranges, Delivery.IN_CAPSULE)
                        .status())
                .isEqualTo(LBA_OUT_OF_RANGE);
        assertThat(fixture.device.deallocations()).isZero();
    }

    @Test
    void shouldCompleteADeallocationOfSeveralRangesOnceAndWithItsWorstStatus() {
        fixture.device.pace(ScriptedDevice.Pace.WHEN_POLLED);
        byte[] ranges = HostEntries.rangeList(48, 1, 1, 2, 1, 3, 1);
        Exchange exchange = io.send(HostEntries.deallocate(1, 3, 48), ranges, Delivery.IN_CAPSULE);

        fixture.device.finishOne();
        fixture.device.finishOne();
        assertThat(exchange.isDone()).isFalse();
        fixture.device.finishOne();
        assertThat(exchange.status()).isZero();

        fixture.device.outcome(DeviceStatus.WRITE_FAULT);
        Exchange failed = io.send(HostEntries.deallocate(1, 3, 48), ranges, Delivery.IN_CAPSULE);
        fixture.device.outcome(DeviceStatus.OK);
        fixture.device.finishAll();
        assertThat(failed.status()).isEqualTo(0x280);
    }

    @ParameterizedTest
    @CsvSource({
        "READ_ERROR, 0x281, false",
        "WRITE_FAULT, 0x280, false",
        "NO_SPACE, 0x081, true",
        "GONE, 0x300, false",
        "UNSUPPORTED, 0x001, true"
    })
    void shouldTurnEachDeviceStatusIntoItsNvmeStatus(DeviceStatus outcome, String status, boolean mustNotRetry) {
        fixture.device.outcome(outcome);

        Exchange read = io.send(HostEntries.read(1, 0, 1, 4096));

        assertThat(read.status()).isEqualTo(Integer.decode(status));
        assertThat(read.mustNotRetry()).isEqualTo(mustNotRetry);
        assertThat(read.received()).isEmpty();
    }

    @Test
    void shouldForceWritesOnlyWhereTheHostAsksWhileThereIsAVolatileCache() {
        TargetFixture cached = new TargetFixture();
        cached.device.withVolatileWriteCache();
        LoopbackHost queue = cached.io();

        queue.send(HostEntries.write(1, 0, 1, 4096), new byte[4096], Delivery.WHEN_FETCHED);
        assertThat(cached.device.forcedWrites()).isZero();
        MemorySegment forced = HostEntries.write(1, 0, 1, 4096);
        HostEntries.withDword(forced, 12, 1L << 30);
        queue.send(forced, new byte[4096], Delivery.WHEN_FETCHED);
        assertThat(cached.device.forcedWrites()).isEqualTo(1);
    }

    @Test
    void shouldForceEveryWriteOfAHostThatWasToldOfNoVolatileCache() {
        ScriptedDevice late = new ScriptedDevice(4096, 16);
        late.withVolatileWriteCache();
        fixture.target.addNamespace(TargetFixture.SUBSYSTEM, TargetFixture.namespace(9, late));

        assertThat(io.send(HostEntries.write(9, 0, 1, 4096), new byte[4096], Delivery.WHEN_FETCHED)
                        .status())
                .isZero();

        assertThat(late.forcedWrites()).isEqualTo(1);
    }

    @Test
    void shouldAskTheHostToComeBackWhenNoBufferIsFree() {
        io.transport().buffersLeft(0);

        Exchange read = io.send(HostEntries.read(1, 0, 1, 4096));
        Exchange write = io.send(HostEntries.write(1, 0, 1, 4096), new byte[4096], Delivery.WHEN_FETCHED);

        assertThat(List.of(read.status(), write.status())).containsOnly(INTERRUPTED);
        assertThat(read.mustNotRetry()).isFalse();
    }

    @Test
    void shouldAnswerLostDataWithoutTouchingTheDevice() {
        io.transport().network(Network.HELD);
        Exchange write = io.send(HostEntries.write(1, 3, 1, 4096), pattern(4096, 5), Delivery.WHEN_FETCHED);
        io.transport().loseFetched(TargetQueue.DataLoss.DAMAGED);

        assertThat(write.status()).isEqualTo(TRANSPORT_ERROR);
        assertThat(io.transport()
                        .submitLost(HostEntries.write(1, 3, 1, 4096), TargetQueue.DataLoss.NO_BUFFER)
                        .status())
                .isEqualTo(INTERRUPTED);
        assertThat(fixture.device.memory().asSlice(3 * 4096, 4096).mismatch(MemorySegment.ofArray(new byte[4096])))
                .isEqualTo(-1);
    }

    @Test
    void shouldFinishWhatIsAtTheDeviceWhenANamespaceIsRemovedAndRefuseWhatComesLater() {
        fixture.device.pace(ScriptedDevice.Pace.WHEN_POLLED);
        Exchange inFlight = io.send(HostEntries.read(1, 0, 1, 4096));
        io.transport().network(Network.HELD);
        Exchange awaitingData = io.send(HostEntries.write(1, 0, 1, 4096), new byte[4096], Delivery.WHEN_FETCHED);

        assertThat(fixture.target.removeNamespace(TargetFixture.SUBSYSTEM, 1)).isPresent();

        assertThat(io.send(HostEntries.read(1, 0, 1, 4096)).status()).isEqualTo(INVALID_NAMESPACE);
        io.transport().deliverFetched();
        assertThat(awaitingData.status()).isEqualTo(INVALID_NAMESPACE);
        fixture.device.finishAll();
        assertThat(inFlight.status()).isZero();
        assertThat(fixture.target.removeNamespace(TargetFixture.SUBSYSTEM, 1)).isEmpty();
    }

    @Test
    void shouldSeeAGrownDeviceAtOnce() {
        assertThat(io.send(HostEntries.read(1, TargetFixture.BLOCKS, 1, 4096)).status())
                .isEqualTo(LBA_OUT_OF_RANGE);

        fixture.device.growTo(2L * TargetFixture.BLOCKS);
        fixture.target.namespaceResized(TargetFixture.SUBSYSTEM, 1);

        assertThat(io.send(HostEntries.read(1, TargetFixture.BLOCKS, 1, 4096)).status())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"INACCESSIBLE, 0x302", "PERSISTENT_LOSS, 0x301", "CHANGE, 0x303"})
    void shouldSendAHostToAnotherPathWhileAGroupIsNotServed(AnaState state, String status) {
        fixture.target.anaState(TargetFixture.SUBSYSTEM, fixture.listener, 1, state);

        Exchange read = io.send(HostEntries.read(1, 0, 1, 4096));
        assertThat(read.status()).isEqualTo(Integer.decode(status));
        assertThat(read.mustNotRetry()).isFalse();
        assertThat(io.send(HostEntries.read(5, 0, 1, 512)).status()).isZero();

        fixture.target.anaState(TargetFixture.SUBSYSTEM, fixture.listener, 1, AnaState.NON_OPTIMIZED);
        assertThat(io.send(HostEntries.read(1, 0, 1, 4096)).status()).isZero();
    }

    @Test
    void shouldCallNothingOfAClosedTransportWhenTheDeviceIsLate() {
        fixture.device.pace(ScriptedDevice.Pace.WHEN_POLLED);
        io.send(HostEntries.read(1, 0, 1, 4096));
        io.transport().hangUp();
        fixture.group.runTasks();

        fixture.device.finishAll();

        assertThat(io.transport().inFlight()).hasSize(1);
    }
}
