package io.fairlead.worker.agent;

import static io.fairlead.worker.engine.DesiredStates.MEBIBYTE;
import static io.fairlead.worker.engine.DesiredStates.generation;
import static io.fairlead.worker.engine.DesiredStates.listenerId;
import static io.fairlead.worker.engine.DesiredStates.pathId;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.ObjectKind;
import io.fairlead.contract.ObjectReport;
import io.fairlead.contract.ObjectState;
import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.Transport;
import io.fairlead.core.PathId;
import io.fairlead.worker.engine.DesiredStates;
import io.fairlead.worker.engine.ObservedTarget;
import io.fairlead.worker.engine.Reconciliation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PathProofsTest {

    private final List<PathId> tried = new ArrayList<>();
    private final PathProofs proofs = new PathProofs(this::prove, () -> this.nanos);
    private PathReport.State next = PathReport.State.PROVEN;
    private Duration proofTakes = Duration.ZERO;
    private long nanos;

    @Test
    void shouldProveAPathOnceWhileNothingChanges() throws Exception {
        Reconciliation found = found(export(1, 1), ObjectState.READY, 4420);

        Duration untilNext = round(found);
        round(found);

        assertThat(tried).containsExactly(pathId("a"));
        assertThat(untilNext).isEqualTo(PathProofs.PROVEN_FOR);
        assertThat(state(found)).isEqualTo(PathReport.State.PROVEN);
    }

    @Test
    void shouldProveAgainAfterAWhile() throws Exception {
        Reconciliation found = found(export(1, 1), ObjectState.READY, 4420);
        round(found);
        nanos += PathProofs.PROVEN_FOR.toNanos();

        round(found);

        assertThat(tried).hasSize(2);
    }

    @Test
    void shouldNotMakeLookingAgainTheMainWorkOfTheHead() throws Exception {
        proofTakes = Duration.ofSeconds(30);
        Reconciliation found = found(export(1, 1), ObjectState.READY, 4420);

        Duration untilNext = round(found);

        assertThat(untilNext).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void shouldNotTellAProofOfSomethingThatHasChangedSince() throws Exception {
        round(found(export(1, 1), ObjectState.READY, 4420));
        Reconciliation otherKey = found(export(2, 2), ObjectState.READY, 4420);
        Reconciliation otherPort = found(export(1, 1), ObjectState.READY, 4421);

        assertThat(state(otherKey)).isEqualTo(PathReport.State.PENDING);
        assertThat(state(otherPort)).isEqualTo(PathReport.State.PENDING);
        round(otherKey);
        assertThat(state(otherKey)).isEqualTo(PathReport.State.PROVEN);
        assertThat(tried).hasSize(2);
    }

    @Test
    void shouldNotProveAgainWhatAnotherGenerationLeftAsItWas() throws Exception {
        round(found(export(1, 1), ObjectState.READY, 4420));

        round(found(export(2, 1), ObjectState.READY, 4420));

        assertThat(tried).hasSize(1);
    }

    @Test
    void shouldNotTryAPathWhosePartsAreNotReady() throws Exception {
        Reconciliation found = found(export(1, 1), ObjectState.PENDING, 4420);

        round(found);

        assertThat(tried).isEmpty();
        assertThat(proofs.reports(found)).singleElement().satisfies(path -> {
            assertThat(path.state()).isEqualTo(PathReport.State.PENDING);
            assertThat(path.reason().map(Reason::code)).contains("path.listener_not_ready");
        });
    }

    @Test
    void shouldProveAnewWhatWasNotReadyMeanwhile() throws Exception {
        Reconciliation ready = found(export(1, 1), ObjectState.READY, 4420);
        round(ready);
        round(found(export(1, 1), ObjectState.DEGRADED, 4420));

        round(ready);

        assertThat(tried).hasSize(2);
    }

    @Test
    void shouldTryAFailedPathAgainSoonAndThenMoreRarely() throws Exception {
        next = PathReport.State.FAILED;
        Reconciliation found = found(export(1, 1), ObjectState.READY, 4420);
        List<Duration> pauses = new ArrayList<>();
        for (int round = 0; round < 8; round++) {
            Duration pause = round(found);
            pauses.add(pause);
            nanos += pause.toNanos();
        }

        assertThat(tried).hasSize(8);
        assertThat(pauses).isSorted().first().isEqualTo(Duration.ofMillis(250));
        assertThat(pauses).last().isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void shouldForgetAPathThatIsNoLongerDesired() throws Exception {
        Reconciliation found = found(export(1, 1), ObjectState.READY, 4420);
        round(found);
        round(found(generation(2).build(), ObjectState.READY, 4420));

        round(found);

        assertThat(tried).hasSize(2);
    }

    private PathReport prove(PathProver.ReadyPath path) {
        tried.add(path.path().id());
        nanos += proofTakes.toNanos();
        return new PathReport(path.path().id(), next, Optional.of(new Reason("test.said", "So.")), Optional.empty());
    }

    private Duration round(Reconciliation found) throws InterruptedException {
        return proofs.proveDue(found, () -> {});
    }

    private PathReport.State state(Reconciliation found) {
        return proofs.reports(found).getFirst().state();
    }

    private static DesiredState export(long generation, int secretSeed) {
        return generation(generation)
                .host("h", secretSeed)
                .listener("lo", "127.0.0.1", 0)
                .export("a", MEBIBYTE, "h", "lo")
                .build();
    }

    private static Reconciliation found(DesiredState desired, ObjectState listener, int port) {
        Optional<Reason> reason = listener == ObjectState.READY
                ? Optional.empty()
                : Optional.of(new Reason("listener.address_absent", "Not here."));
        List<ObjectReport> objects = new ArrayList<>();
        objects.add(new ObjectReport(ObjectKind.LISTENER, listenerId("lo").value(), listener, reason, Map.of()));
        for (Map.Entry<ObjectKind, UUID> ready : Map.of(
                        ObjectKind.HOST, DesiredStates.hostId("h").value(),
                        ObjectKind.SUBSYSTEM, DesiredStates.subsystemId("a").value(),
                        ObjectKind.NAMESPACE, DesiredStates.namespaceId("a").value())
                .entrySet()) {
            objects.add(
                    new ObjectReport(ready.getKey(), ready.getValue(), ObjectState.READY, Optional.empty(), Map.of()));
        }
        ObservedTarget observed = new ObservedTarget(
                Map.of(),
                Map.of(),
                Map.of(
                        listenerId("lo"),
                        new ObservedTarget.ObservedListener(listenerId("lo"), Transport.TCP, "127.0.0.1", port)));
        return new Reconciliation(desired, observed, objects, List.of(), List.of(), Duration.ofSeconds(5), 0);
    }
}
