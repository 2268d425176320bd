package io.fairlead.worker.ledger;

import io.fairlead.contract.DesiredState;
import io.fairlead.core.ListenerId;
import io.fairlead.core.NamespaceId;
import io.fairlead.core.PoolId;
import io.fairlead.core.VolumeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that the ledger holds, in the form in which it is written. What is optional is not in the ledgers of older workers. */
record LedgerContent(
        int schema,
        Optional<Enrolment> enrolment,
        Optional<DesiredState> desired,
        List<ChosenPort> ports,
        List<VolumeId> volumes,
        List<Claim> claims,
        Optional<List<PoolDrive>> poolDrives,
        Optional<List<PoolId>> pools) {

    static final int SCHEMA = 1;

    static final LedgerContent EMPTY = new LedgerContent(
            SCHEMA,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());

    record ChosenPort(ListenerId listener, int port) {}

    record Claim(String drive, NamespaceId namespace) {}

    record PoolDrive(String drive, PoolId pool) {}

    LedgerContent {
        ports = List.copyOf(ports);
        volumes = List.copyOf(volumes);
        claims = List.copyOf(claims);
        poolDrives = poolDrives.map(List::copyOf);
        pools = pools.map(List::copyOf);
    }

    LedgerContent with(Enrolment newEnrolment) {
        return new LedgerContent(schema, Optional.of(newEnrolment), desired, ports, volumes, claims, poolDrives, pools);
    }

    LedgerContent with(DesiredState newDesired) {
        return new LedgerContent(schema, enrolment, Optional.of(newDesired), ports, volumes, claims, poolDrives, pools);
    }

    LedgerContent with(HeadMemory.Facts facts) {
        List<ChosenPort> newPorts = new ArrayList<>();
        facts.ports().forEach((listener, port) -> newPorts.add(new ChosenPort(listener, port)));
        List<Claim> newClaims = new ArrayList<>();
        facts.claims().forEach((drive, namespace) -> newClaims.add(new Claim(drive, namespace)));
        List<PoolDrive> newPoolDrives = new ArrayList<>();
        facts.poolDrives().forEach((drive, pool) -> newPoolDrives.add(new PoolDrive(drive, pool)));
        return new LedgerContent(
                schema,
                enrolment,
                desired,
                newPorts,
                List.copyOf(facts.volumes()),
                newClaims,
                Optional.of(newPoolDrives),
                Optional.of(List.copyOf(facts.pools())));
    }

    HeadMemory.Facts facts() {
        Map<ListenerId, Integer> chosen = new HashMap<>();
        ports.forEach(port -> chosen.put(port.listener(), port.port()));
        Map<String, NamespaceId> claimed = new HashMap<>();
        claims.forEach(claim -> claimed.put(claim.drive(), claim.namespace()));
        Map<String, PoolId> pooled = new HashMap<>();
        poolDrives.orElse(List.of()).forEach(held -> pooled.put(held.drive(), held.pool()));
        return new HeadMemory.Facts(
                chosen, new HashSet<>(volumes), claimed, pooled, new HashSet<>(pools.orElse(List.of())));
    }
}
