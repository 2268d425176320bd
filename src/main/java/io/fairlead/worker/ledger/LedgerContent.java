package io.fairlead.worker.ledger;

import io.fairlead.contract.DesiredState;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.VolumeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that the ledger holds, in the form in which it is written. */
record LedgerContent(
        int schema,
        Optional<Enrolment> enrolment,
        Optional<DesiredState> desired,
        List<ChosenPort> ports,
        List<VolumeId> volumes,
        List<Claim> claims) {

    static final int SCHEMA = 1;

    static final LedgerContent EMPTY =
            new LedgerContent(SCHEMA, Optional.empty(), Optional.empty(), List.of(), List.of(), List.of());

    record ChosenPort(ListenerId listener, int port) {}

    record Claim(String drive, NamespaceId namespace) {}

    LedgerContent {
        ports = List.copyOf(ports);
        volumes = List.copyOf(volumes);
        claims = List.copyOf(claims);
    }

    LedgerContent with(Enrolment newEnrolment) {
        return new LedgerContent(schema, Optional.of(newEnrolment), desired, ports, volumes, claims);
    }

    LedgerContent with(DesiredState newDesired) {
        return new LedgerContent(schema, enrolment, Optional.of(newDesired), ports, volumes, claims);
    }

    LedgerContent with(HeadMemory.Facts facts) {
        List<ChosenPort> newPorts = new ArrayList<>();
        facts.ports().forEach((listener, port) -> newPorts.add(new ChosenPort(listener, port)));
        List<Claim> newClaims = new ArrayList<>();
        facts.claims().forEach((drive, namespace) -> newClaims.add(new Claim(drive, namespace)));
        return new LedgerContent(schema, enrolment, desired, newPorts, List.copyOf(facts.volumes()), newClaims);
    }

    HeadMemory.Facts facts() {
        Map<ListenerId, Integer> chosen = new HashMap<>();
        ports.forEach(port -> chosen.put(port.listener(), port.port()));
        Map<String, NamespaceId> claimed = new HashMap<>();
        claims.forEach(claim -> claimed.put(claim.drive(), claim.namespace()));
        return new HeadMemory.Facts(chosen, new HashSet<>(volumes), claimed);
    }
}
