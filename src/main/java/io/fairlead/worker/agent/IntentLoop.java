package io.fairlead.worker.agent;

import io.fairlead.contract.DesiredState;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.core.Generation;
import io.fairlead.worker.ledger.Acceptance;
import io.fairlead.worker.ledger.Enrolment;
import io.fairlead.worker.ledger.HeadCredential;
import io.fairlead.worker.ledger.Ledger;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Enrols the head if need be, then asks for its desired state again and again. Nothing that happens here disturbs what is served. */
final class IntentLoop implements Runnable {

    private static final System.Logger LOG = System.getLogger(IntentLoop.class.getName());

    /** How long one question may stay open; shorter than what proxies commonly allow. */
    private static final Duration WAIT = Duration.ofSeconds(25);

    private final ManagementClient client;
    private final Ledger ledger;
    private final EnrolmentToken token;
    private final String name;
    private final Backoff backoff;
    private final Nudge convergeNudge;
    private final Nudge reportNudge;
    private String lastTrouble = "";

    IntentLoop(
            ManagementClient client,
            Ledger ledger,
            EnrolmentToken token,
            String name,
            Backoff backoff,
            Nudge convergeNudge,
            Nudge reportNudge) {
        this.client = client;
        this.ledger = ledger;
        this.token = token;
        this.name = name;
        this.backoff = backoff;
        this.convergeNudge = convergeNudge;
        this.reportNudge = reportNudge;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (!ask()) {
                    Thread.sleep(backoff.next());
                }
            }
        } catch (InterruptedException e) {
            // The worker is being stopped.
            Thread.currentThread().interrupt();
        }
    }

    /** One exchange; false when it is better to pause before the next. */
    private boolean ask() throws InterruptedException {
        try {
            Optional<Enrolment> enrolment = ledger.enrolment();
            boolean fine = enrolment.isPresent() ? poll(enrolment.get()) : enrol();
            if (fine) {
                trouble("");
                backoff.reset();
            }
            return fine;
        } catch (ManagementFault e) {
            trouble("event=management-" + e.kind().name().toLowerCase(Locale.ROOT) + " " + e.getMessage());
        } catch (RuntimeException e) {
            // For example a ledger on a full disk: the head goes on with what it has.
            // Interrupted: the worker is being stopped, and its files with it.
            if (!Thread.currentThread().isInterrupted()) {
                LOG.log(System.Logger.Level.ERROR, "event=intent-failed", e);
            }
        }
        return false;
    }

    private boolean enrol() throws ManagementFault, InterruptedException {
        Optional<String> secret = token.read();
        if (secret.isEmpty()) {
            trouble("event=waiting-for-enrolment-token");
            return false;
        }
        EnrolmentAnswer answer = client.enrol(new EnrolmentRequest(secret.get(), name, Version.current()));
        if (answer.headId() == null || answer.credential() == null) {
            throw new ManagementFault(ManagementFault.Kind.GARBAGE, "the answer to enrolment is incomplete", null);
        }
        ledger.enrol(new Enrolment(answer.headId(), new HeadCredential(answer.credential())));
        LOG.log(System.Logger.Level.INFO, "event=enrolled head={0} name={1}", answer.headId(), name);
        reportNudge.nudge();
        return true;
    }

    private boolean poll(Enrolment enrolment) throws ManagementFault, InterruptedException {
        Generation held = ledger.desired().map(DesiredState::generation).orElse(Generation.NONE);
        Optional<DesiredState> offered = client.desired(enrolment, held, WAIT);
        return offered.isEmpty() || offer(offered.get());
    }

    private boolean offer(DesiredState offered) {
        return switch (ledger.offer(offered)) {
            case Acceptance.Accepted accepted -> {
                convergeNudge.nudge();
                LOG.log(System.Logger.Level.INFO, "event=accepted generation={0}", accepted.generation());
                yield true;
            }
            case Acceptance.Unchanged _ -> {
                trouble("event=desired-state-repeated generation=" + offered.generation());
                yield false;
            }
            case Acceptance.Older older -> {
                trouble("event=desired-state-older held=" + older.held() + " offered=" + older.offered());
                yield false;
            }
            case Acceptance.Contradiction contradiction -> {
                trouble("event=desired-state-contradiction generation=" + contradiction.generation()
                        + " the same number came with other content; the head keeps what it has");
                yield false;
            }
            case Acceptance.NotForUs notForUs -> {
                trouble("event=desired-state-refused " + notForUs.why());
                yield false;
            }
        };
    }

    /** Told when it begins, changes and ends, not at each attempt. */
    private void trouble(String text) {
        if (!text.equals(lastTrouble)) {
            if (text.isEmpty()) {
                LOG.log(System.Logger.Level.INFO, "event=management-back");
            } else {
                LOG.log(System.Logger.Level.WARNING, text);
            }
            lastTrouble = text;
        }
    }
}
