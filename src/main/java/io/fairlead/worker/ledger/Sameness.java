package io.fairlead.worker.ledger;

import io.fairlead.contract.DesiredAnaState;
import io.fairlead.contract.DesiredPool;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.DesiredSubsystem;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Compares desired states by what they say: the order of their lists means nothing. */
final class Sameness {

    private Sameness() {}

    static boolean of(DesiredState left, DesiredState right) {
        return ordered(left).equals(ordered(right));
    }

    private static DesiredState ordered(DesiredState state) {
        return new DesiredState(
                state.schema(),
                state.headId(),
                state.generation(),
                state.cntlids(),
                ordered(state.volumes(), volume -> volume.id().value()),
                ordered(state.hosts(), host -> host.id().value()),
                ordered(
                        state.subsystems().stream().map(Sameness::ordered).toList(),
                        subsystem -> subsystem.id().value()),
                ordered(state.listeners(), listener -> listener.id().value()),
                ordered(state.paths(), path -> path.id().value()),
                state.pools()
                        .map(pools -> ordered(
                                pools.stream().map(Sameness::ordered).toList(),
                                pool -> pool.id().value())),
                state.anaStates()
                        .map(states -> states.stream()
                                .sorted(Comparator.comparing((DesiredAnaState ana) ->
                                                ana.listenerId().value())
                                        .thenComparingLong(DesiredAnaState::anaGroup))
                                .toList()));
    }

    private static DesiredPool ordered(DesiredPool pool) {
        return new DesiredPool(
                pool.id(),
                pool.name(),
                pool.layout(),
                pool.provisioning(),
                ordered(pool.drives(), member -> member.driveId().value()),
                pool.presence());
    }

    private static DesiredSubsystem ordered(DesiredSubsystem subsystem) {
        return new DesiredSubsystem(
                subsystem.id(),
                subsystem.nqn(),
                subsystem.serial(),
                subsystem.model(),
                subsystem.access(),
                ordered(subsystem.namespaces(), namespace -> namespace.id().value()),
                ordered(subsystem.allowedHosts(), host -> host.value()),
                ordered(subsystem.listeners(), listener -> listener.value()));
    }

    private static <T, K extends Comparable<K>> List<T> ordered(List<T> items, Function<T, K> key) {
        return items.stream().sorted(Comparator.comparing(key)).toList();
    }
}
