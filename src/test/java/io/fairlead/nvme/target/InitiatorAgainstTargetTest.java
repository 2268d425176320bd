package io.fairlead.nvme.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.nvme.auth.AuthProgress;
import io.fairlead.nvme.auth.HostPolicy;
import io.fairlead.nvme.initiator.Completion;
import io.fairlead.nvme.initiator.HostCommand;
import io.fairlead.nvme.initiator.HostController;
import io.fairlead.nvme.initiator.HostIdentity;
import io.fairlead.nvme.initiator.HostQueue;
import io.fairlead.nvme.initiator.InitiatorFault;
import io.fairlead.nvme.initiator.InitiatorFault.Kind;
import io.fairlead.nvme.initiator.NamespaceData;
import io.fairlead.nvme.initiator.NvmCommands;
import io.fairlead.nvme.initiator.NvmCommands.Durability;
import io.fairlead.nvme.spec.Nqn;
import io.fairlead.nvme.target.LoopbackTransport.Delivery;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The house's own initiator, which was written from the specification and not from this target, against this target. */
class InitiatorAgainstTargetTest {

    private final TargetFixture fixture = new TargetFixture();

    /** One connection to the target, as the initiator wants it. */
    private final class Queue implements HostQueue {

        private final LoopbackTransport transport = new LoopbackTransport(fixture.group, 130, "192.0.2.7:1");

        Queue() {
            transport.attach(fixture.target.newQueue(transport, fixture.group, fixture.listener));
        }

        @Override
        public Completion execute(HostCommand command) {
            MemorySegment sqe = command.sqe();
            sqe.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x40);
            int bytes = (int) command.data().byteSize();
            byte[] out = {};
            if (command.transfer() == HostCommand.Transfer.TO_CONTROLLER) {
                out = command.data().toArray(ValueLayout.JAVA_BYTE);
            }
            boolean fits = bytes <= 8192 && command.transfer() == HostCommand.Transfer.TO_CONTROLLER;
            if (fits) {
                HostEntries.inCapsule(sqe, bytes);
            } else {
                HostEntries.transport(sqe, bytes);
            }
            var exchange = transport.submit(sqe, out, fits ? Delivery.IN_CAPSULE : Delivery.WHEN_FETCHED);
            fixture.group.runTasks();
            byte[] in = exchange.received();
            MemorySegment.copy(in, 0, command.data(), ValueLayout.JAVA_BYTE, 0, in.length);
            return Completion.of(exchange.completionEntry(), 0, in.length);
        }
    }

    private HostController controller(HostIdentity identity, String subsystem) {
        return new HostController(new Queue(), identity, subsystem, new Random(3), millis -> {
            throw new AssertionError("the target was not ready at once");
        });
    }

    private HostIdentity keyed(HostPolicy policy) {
        return new HostIdentity(TargetFixture.KEYED_HOST, TargetFixture.HOST_ID, Optional.of(policy));
    }

    private static final HostIdentity PLAIN =
            new HostIdentity(TargetFixture.HOST, TargetFixture.HOST_ID, Optional.empty());

    @Test
    void shouldDoAllThatAHostDoesUntilItReadsAndWrites() throws InitiatorFault {
        HostController controller = controller(
                keyed(HostPolicy.offeringAll(fixture.hostKey, Optional.of(fixture.controllerKey))),
                TargetFixture.SUBSYSTEM);
        controller.establish(5000);
        assertThat(controller.authentication().orElseThrow().direction()).isEqualTo(AuthProgress.Direction.TWO_WAY);
        assertThat(controller.identifyController().controllerId()).isEqualTo(controller.controllerId());
        assertThat(controller.requestQueues(2)).isEqualTo(2);
        Queue first = new Queue();
        Queue second = new Queue();
        controller.connectQueue(first, 1, 64);
        controller.connectQueue(second, 2, 64);
        List<NamespaceData> namespaces = controller.identifyNamespaces();
        assertThat(namespaces).hasSize(2);
        controller.enableEvents();
        controller.keepAlive();

        byte[] data = new byte[65_536];
        new Random(5).nextBytes(data);
        MemorySegment written = MemorySegment.ofArray(data);
        assertThat(first.execute(NvmCommands.write(1, 16, 4096, written, Durability.FORCED))
                        .succeeded())
                .isTrue();
        MemorySegment read = MemorySegment.ofArray(new byte[65_536]);
        assertThat(second.execute(NvmCommands.read(1, 16, 4096, read)).succeeded())
                .isTrue();
        assertThat(read.mismatch(written)).isEqualTo(-1);
        assertThat(second.execute(NvmCommands.flush(1)).succeeded()).isTrue();
        assertThat(second.execute(NvmCommands.deallocate(1, 0, 4)).succeeded()).isTrue();
        assertThat(second.execute(NvmCommands.writeZeroes(5, 0, 4)).succeeded()).isTrue();
        controller.shutDown();
    }

    @Test
    void shouldTellTheHostWhyItIsRefused() {
        InitiatorFault wrongKey = catchThrowableOfType(
                InitiatorFault.class,
                () -> controller(
                                keyed(HostPolicy.offeringAll(fixture.otherKey, Optional.empty())),
                                TargetFixture.SUBSYSTEM)
                        .establish(5000));
        InitiatorFault noKey = catchThrowableOfType(
                InitiatorFault.class,
                () -> controller(
                                new HostIdentity(TargetFixture.KEYED_HOST, TargetFixture.HOST_ID, Optional.empty()),
                                TargetFixture.SUBSYSTEM)
                        .establish(5000));
        InitiatorFault unknown = catchThrowableOfType(
                InitiatorFault.class,
                () -> controller(PLAIN, "nqn.2026-01.io.fairlead:nobody").establish(5000));

        assertThat(List.of(wrongKey.kind(), noKey.kind(), unknown.kind()))
                .containsExactly(Kind.AUTHENTICATION_REFUSED, Kind.KEY_REQUIRED, Kind.SUBSYSTEM_UNKNOWN);
    }

    @Test
    void shouldDiscoverWhatTheHostMayUse() throws InitiatorFault {
        HostController discovery = controller(PLAIN, Nqn.DISCOVERY);
        discovery.establish(0);
        discovery.identifyController();

        assertThat(discovery.discover().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.subsystemNqn()).isEqualTo(TargetFixture.SUBSYSTEM));
    }
}
