package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.AuthenticationFailureReport.Check;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel's target says in the kernel log: who made an association, and who was refused and why. Records are those of {@code
 * /dev/kmsg} (Linux, Documentation/ABI/testing/dev-kmsg): {@code priority,sequence,microseconds,flags;text}. The log is read from its
 * beginning at each start; a refusal has the id that follows from boot and sequence number, so that telling it twice is telling it once.
 *
 * <p>Fed by one thread and asked by another, hence the lock.
 */
final class KernelLog {

    private static final int KEPT_MAX = 1000;

    /** How long a step of an authentication may take without a keep alive timeout (Linux, drivers/nvme/target/fabrics-cmd-auth.c: 120 s). */
    private static final long AUTHENTICATION_MICROSECONDS = 120_000_000;

    private static final Pattern RECORD =
            Pattern.compile("\\d+,(\\d+),(\\d+),[^;]*;nvmet: ([^\\n]*).*", Pattern.DOTALL);
    private static final Pattern CREATED = Pattern.compile(
            "creating nvm controller (\\d+) for subsystem (\\S+) for NQN (\\S+?)( with DH-HMAC-CHAP| with TLS.*)?\\.?");
    private static final Pattern NOT_ALLOWED =
            Pattern.compile("connect by host (\\S+) for subsystem (\\S+) not allowed");
    private static final Pattern UNKNOWN = Pattern.compile("connect request for invalid subsystem (\\S+)!");
    private static final Pattern AUTHENTICATION = Pattern.compile(
            "ctrl (\\d+) qid \\d+:? (host response mismatch|no host key|no ctrl key|failure1.*|challenge error.*)");

    private final String bootId;
    private final Instant booted;
    private final Map<Integer, List<Attempt>> controllers = new HashMap<>();
    private final Set<Association> associations = new HashSet<>();
    private final ArrayDeque<AuthenticationFailureReport> refusals = new ArrayDeque<>();

    private record Association(String subsystem, String host) {}

    /** A controller that was made and may still authenticate. */
    private record Attempt(Association association, long microseconds, boolean explained) {}

    KernelLog(String bootId, Instant booted) {
        this.bootId = bootId;
        this.booted = booted;
    }

    /** Takes one record. */
    synchronized void accept(String record) {
        Matcher matcher = RECORD.matcher(record);
        if (!matcher.matches()) {
            return;
        }
        long microseconds = Long.parseLong(matcher.group(2));
        String text = matcher.group(3);
        Matcher created = CREATED.matcher(text);
        if (created.matches()) {
            Association association = new Association(created.group(2), created.group(3));
            addAttempt(Integer.parseInt(created.group(1)), association, microseconds);
            associations.add(association);
            return;
        }
        refusal(text, microseconds).ifPresent(refusal -> keep(matcher.group(1), microseconds, refusal));
    }

    private void addAttempt(int controller, Association association, long now) {
        List<Attempt> attempts = controllers.computeIfAbsent(controller, number -> new ArrayList<>());
        attempts.removeIf(attempt -> attempt.association().subsystem().equals(association.subsystem())
                || now - attempt.microseconds() > AUTHENTICATION_MICROSECONDS);
        attempts.addFirst(new Attempt(association, now, false));
    }

    private record Refusal(Association association, Check check, String sentence) {}

    private Optional<Refusal> refusal(String text, long now) {
        Matcher notAllowed = NOT_ALLOWED.matcher(text);
        if (notAllowed.matches()) {
            return Optional.of(new Refusal(
                    new Association(notAllowed.group(2), notAllowed.group(1)),
                    Check.HOST_NOT_ALLOWED,
                    "The host is not in the subsystem's list."));
        }
        Matcher unknown = UNKNOWN.matcher(text);
        if (unknown.matches()) {
            return Optional.of(new Refusal(
                    new Association(unknown.group(1), ""),
                    Check.SUBSYSTEM_UNKNOWN,
                    "There is no such subsystem on the listener that was asked."));
        }
        Matcher authentication = AUTHENTICATION.matcher(text);
        return authentication.matches()
                ? refusal(Integer.parseInt(authentication.group(1)), authentication.group(2), now)
                : Optional.empty();
    }

    /**
     * The kernel tells the controller's number only, and each subsystem counts its own: when several have one of that number that may be
     * authenticating, the latest is named and the others are mentioned.
     */
    private Optional<Refusal> refusal(int controller, String text, long now) {
        List<Attempt> attempts = controllers.getOrDefault(controller, List.of()).stream()
                .filter(attempt -> now - attempt.microseconds() <= AUTHENTICATION_MICROSECONDS)
                .toList();
        if (attempts.isEmpty()) {
            return Optional.of(explained(new Association("", ""), text));
        }
        Attempt latest = attempts.getFirst();
        boolean follows = text.startsWith("failure") && latest.explained();
        if (follows) {
            // How the refusal that was told before ends.
            return Optional.empty();
        }
        controllers.get(controller).set(0, new Attempt(latest.association(), latest.microseconds(), true));
        Refusal refusal = explained(latest.association(), text);
        List<String> others = attempts.stream()
                .skip(1)
                .map(attempt -> attempt.association().host() + " at "
                        + attempt.association().subsystem())
                .toList();
        return Optional.of(
                others.isEmpty()
                        ? refusal
                        : new Refusal(
                                refusal.association(),
                                refusal.check(),
                                refusal.sentence() + " The kernel names controller " + controller
                                        + " only, so that it may have been " + String.join(", or ", others) + "."));
    }

    private static Refusal explained(Association association, String text) {
        return switch (text) {
            case "host response mismatch" ->
                new Refusal(association, Check.KEY_MISMATCH, "The host's response does not match its key.");
            case "no host key" ->
                new Refusal(association, Check.KEY_MISMATCH, "The host's key was taken away while it authenticated.");
            case "no ctrl key" ->
                new Refusal(
                        association,
                        Check.CONTROLLER_KEY_MISSING,
                        "The host asked for a proof of the controller, which has no key for this host.");
            default -> new Refusal(association, Check.PROTOCOL_ERROR, "The authentication broke off: " + text + ".");
        };
    }

    private void keep(String sequence, long microseconds, Refusal refusal) {
        if (refusals.size() == KEPT_MAX) {
            refusals.remove();
        }
        UUID id = UUID.nameUUIDFromBytes((bootId + "." + sequence).getBytes(StandardCharsets.UTF_8));
        refusals.add(new AuthenticationFailureReport(
                id,
                booted.plus(Duration.ofNanos(microseconds * 1000)),
                refusal.association().host(),
                refusal.association().subsystem(),
                "",
                refusal.check(),
                refusal.sentence()));
    }

    synchronized List<AuthenticationFailureReport> take() {
        List<AuthenticationFailureReport> taken = new ArrayList<>(refusals);
        refusals.clear();
        return taken;
    }

    /** Whether the host made an association with the subsystem that may still be there. */
    synchronized boolean hasConnected(String subsystem, String host) {
        return associations.contains(new Association(subsystem, host));
    }

    /** All associations of the subsystem were ended. */
    synchronized void forget(String subsystem) {
        associations.removeIf(association -> association.subsystem().equals(subsystem));
    }
}
