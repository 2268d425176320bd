package io.fairlead.worker.agent;

import io.fairlead.contract.HeadReport;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.worker.engine.Reconciliation;
import io.fairlead.worker.inventory.Inventory;
import io.fairlead.worker.ledger.Enrolment;
import io.fairlead.worker.ledger.HeadMemory;
import io.fairlead.worker.ledger.Ledger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Sends what the head observes, right after it has changed and at least every ten seconds. */
final class ReportLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(ReportLoop.class.getName());
    static final Duration HEARTBEAT = Duration.ofSeconds(8);

    private final ManagementClient client;
    private final Ledger ledger;
    private final Inventory inventory;
    private final Findings findings;
    private final PathProofs proofs;
    private final Outbox outbox;
    private final String bootId;
    private final InstantSource clock;
    private final Backoff backoff;
    private final Nudge nudge;
    private long sequence;
    private boolean isKeptRefused;
    private String lastTrouble = "";

    ReportLoop(
            ManagementClient client,
            Ledger ledger,
            Inventory inventory,
            Findings findings,
            PathProofs proofs,
            Outbox outbox,
            String bootId,
            InstantSource clock,
            Backoff backoff,
            Nudge nudge) {
        this.client = client;
        this.ledger = ledger;
        this.inventory = inventory;
        this.findings = findings;
        this.proofs = proofs;
        this.outbox = outbox;
        this.bootId = bootId;
        this.clock = clock;
        this.backoff = backoff;
        this.nudge = nudge;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                nudge.await(send());
            }
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        }
    }

    /** Sends one report; returns when to send the next if nothing changes. */
    private Duration send() throws InterruptedException {
        Optional<Enrolment> enrolment = ledger.enrolment();
        if (enrolment.isEmpty()) {
            return HEARTBEAT;
        }
        Outbox.Content kept = outbox.content();
        try {
            client.report(
                    enrolment.get(), report(enrolment.get().headId(), isKeptRefused ? Outbox.Content.NONE : kept));
            if (isKeptRefused) {
                outbox.discard(kept);
                isKeptRefused = false;
            } else {
                outbox.acknowledge(kept);
            }
            backoff.reset();
            trouble("");
            return HEARTBEAT;
        } catch (ManagementFault e) {
            // What the management plane cannot read must not keep it from hearing of everything else for ever.
            isKeptRefused = e.kind() == ManagementFault.Kind.GARBAGE && !kept.isEmpty();
            trouble("event=report-not-taken " + e.getMessage());
        } catch (RuntimeException e) {
            // Reporting is not worth dying for.
            // Interrupted: the worker is being stopped, and its files with it.
            if (!Thread.currentThread().isInterrupted()) {
                LOG.log(System.Logger.Level.ERROR, "event=report-failed", e);
            }
        }
        Duration pause = backoff.next();
        return pause.compareTo(HEARTBEAT) < 0 ? pause : HEARTBEAT;
    }

    private HeadReport report(HeadId head, Outbox.Content content) {
        Optional<Reconciliation> found = findings.reconciliation();
        HeadMemory.Facts facts = ledger.recall();
        Findings.Engine engine = findings.engine();
        sequence++;
        return new HeadReport(
                HeadReport.SCHEMA,
                head,
                bootId,
                sequence,
                clock.instant(),
                found.map(done -> done.desired().generation()).orElse(Generation.NONE),
                engine.report(),
                inventory.scan(facts.claims().keySet(), facts.poolDrives().keySet()),
                findings.pools(),
                found.map(Reconciliation::objects).orElse(List.of()),
                found.map(proofs::reports).orElse(List.of()),
                content.steps(),
                content.refusals(),
                Optional.of(engine.foreign()),
                Optional.of(content.drift()));
    }

    private void trouble(String text) {
        if (!text.equals(lastTrouble)) {
            if (text.isEmpty()) {
                LOG.log(System.Logger.Level.INFO, "event=reporting dropped={0}", outbox.droppedCount());
            } else {
                LOG.log(System.Logger.Level.WARNING, text);
            }
            lastTrouble = text;
        }
    }
}
