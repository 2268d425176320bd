package io.fairlead.worker.engine.embedded;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.AuthenticationFailureReport.Check;
import io.fairlead.core.Ids;
import io.fairlead.nvme.target.Refusal;
import io.fairlead.nvme.target.RefusalListener;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Keeps refusals until the reconciler takes them; the oldest give way when hosts are refused faster than that. Poll groups add, the
 * reconciler takes: the lock is held for moments, and never on the I/O path.
 */
final class Refusals implements RefusalListener {

    private static final int KEPT_MAX = 1024;

    private final InstantSource clock;
    private final Ids ids;
    private final Queue<AuthenticationFailureReport> kept = new ArrayDeque<>();

    Refusals(InstantSource clock, Ids ids) {
        this.clock = clock;
        this.ids = ids;
    }

    @Override
    public void onRefusal(Refusal refusal) {
        AuthenticationFailureReport report = new AuthenticationFailureReport(
                ids.next(),
                clock.instant(),
                refusal.hostNqn(),
                refusal.subsystemNqn(),
                refusal.peerAddress(),
                checkOf(refusal.check()),
                refusal.sentence());
        synchronized (kept) {
            if (kept.size() == KEPT_MAX) {
                kept.remove();
            }
            kept.add(report);
        }
    }

    List<AuthenticationFailureReport> take() {
        synchronized (kept) {
            List<AuthenticationFailureReport> taken = new ArrayList<>(kept);
            kept.clear();
            return taken;
        }
    }

    private static Check checkOf(Refusal.Check check) {
        return switch (check) {
            case HOST_NOT_ALLOWED -> Check.HOST_NOT_ALLOWED;
            case SUBSYSTEM_UNKNOWN -> Check.SUBSYSTEM_UNKNOWN;
            case KEY_NOT_PRESENTED -> Check.KEY_NOT_PRESENTED;
            case KEY_MISMATCH -> Check.KEY_MISMATCH;
            case HASH_NOT_OFFERED -> Check.HASH_NOT_OFFERED;
            case DH_GROUP_NOT_OFFERED -> Check.DH_GROUP_NOT_OFFERED;
            case CONTROLLER_KEY_MISSING -> Check.CONTROLLER_KEY_MISSING;
            case CONTROLLER_PROOF_REFUSED -> Check.CONTROLLER_PROOF_REFUSED;
            case PROTOCOL_ERROR -> Check.PROTOCOL_ERROR;
        };
    }
}
