package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What SMART counts, and what comes too late or is no command of a fabric. */
class TargetCountersTest {

    private static final int INVALID_FIELD = 0x002;
    private static final int SEQUENCE_ERROR = 0x00C;
    private static final int DATA_READ = 32;
    private static final int DATA_WRITTEN = 48;
    private static final int READ_COMMANDS = 64;
    private static final int WRITE_COMMANDS = 80;

    private final TargetFixture fixture = new TargetFixture();
    private final LoopbackHost admin = fixture.host();
    private final int cntlid = admin.connectAdmin();

    private LoopbackHost connectIo() {
        LoopbackHost io = fixture.host();
        io.connectIo(1, cntlid);
        return io;
    }

    private ByteBuffer smart() {
        byte[] log = admin.send(HostEntries.getLogPage(0x02, 512, 0, false)).received();
        return ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void shouldKeepTheCountsOfAQueueThatIsGone() {
        admin.enable();
        LoopbackHost first = connectIo();
        for (int i = 0; i < 3; i++) {
            first.send(HostEntries.read(1, 0, 32, 131_072));
        }
        first.send(HostEntries.write(1, 0, 1, 4096), new byte[4096], Delivery.WHEN_FETCHED);
        first.send(HostEntries.writeZeroes(1, 0, 8));
        first.transport().hangUp();
        connectIo().send(HostEntries.read(1, 0, 32, 131_072));

        ByteBuffer log = smart();
        assertThat(log.getLong(READ_COMMANDS)).isEqualTo(4);
        assertThat(log.getLong(WRITE_COMMANDS)).isEqualTo(2);
        // 524288 bytes in thousands of 512 bytes, rounded up.
        assertThat(log.getLong(DATA_READ)).isEqualTo(2);
        assertThat(log.getLong(DATA_WRITTEN)).isEqualTo(1);
    }

    @Test
    void shouldNotChangeTheNumberOfQueuesOnceThereAreSome() {
        admin.enable();
        assertThat(admin.send(HostEntries.setFeatures(0x07, 0x0003_0003)).result())
                .isEqualTo(0x0003_0003);
        connectIo();

        assertThat(admin.send(HostEntries.setFeatures(0x07, 0x0001_0001)).status())
                .isEqualTo(SEQUENCE_ERROR);
        assertThat(admin.send(HostEntries.getFeatures(0x07)).result()).isEqualTo(0x0003_0003);
    }

    @Test
    void shouldRefuseCommandsWithoutAnSgl() {
        admin.enable();
        var identify = HostEntries.identify(0x01, 0);
        identify.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 1, (byte) 0);
        assertThat(admin.send(identify).status()).isEqualTo(INVALID_FIELD);

        var read = HostEntries.read(1, 0, 1, 4096);
        read.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 1, (byte) 0);
        assertThat(connectIo().send(read).status()).isEqualTo(INVALID_FIELD);
    }
}
