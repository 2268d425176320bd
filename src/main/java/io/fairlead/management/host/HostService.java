package io.fairlead.management.host;

import io.fairlead.contract.AuthDhGroup;
import io.fairlead.contract.AuthHash;
import io.fairlead.contract.AuthenticationFailureReport;
import io.fairlead.contract.DesiredHost;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.FieldErrors;
import io.fairlead.core.HeadId;
import io.fairlead.core.HostId;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.nvme.spec.Nqn;
import io.fairlead.platform.AuditWriter;
import io.fairlead.platform.Page;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.RowVersion;
import io.fairlead.platform.database.Violations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.Transactional;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Hosts and their keys. Each method is one transaction, or a part of its caller's. */
@ApplicationScoped
@Transactional
public class HostService {

    private static final int NAME_CHARACTERS_MAX = 223;
    private static final int FAILURES_KEPT_PER_HOST = 200;
    private static final int FAILURES_KEPT = 20_000;

    private final HostRepository repository;
    private final HostKeys keys;
    private final Instance<HostUse> uses;
    private final AuditWriter audit;
    private final Ids ids;
    private final InstantSource clock;

    HostService(
            HostRepository repository,
            HostKeys keys,
            @Any Instance<HostUse> uses,
            AuditWriter audit,
            Ids ids,
            InstantSource clock) {
        this.repository = repository;
        this.keys = keys;
        this.uses = uses;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    /** Says everything that is wrong with a new host; {@code pointer} is where it stands in the request. */
    public void check(HostCreate request, String pointer, FieldErrors errors) {
        if (request.nqn() == null) {
            errors.required(pointer + "/nqn");
        } else {
            Nqn.flaw(request.nqn()).ifPresent(flaw -> errors.add(FailureCode.NQN_INVALID, pointer + "/nqn", flaw));
            if (Nqn.DISCOVERY.equals(request.nqn())) {
                errors.add(FailureCode.NQN_INVALID, pointer + "/nqn", "The discovery service's NQN is not a host.");
            }
        }
        checkName(request.name(), pointer, errors);
        HostCreate.AuthenticationCreate authentication = request.authentication();
        if (authentication != null) {
            HostKeys.check(authentication.secret(), pointer + "/authentication/secret", errors);
            HostKeys.check(authentication.controllerSecret(), pointer + "/authentication/controllerSecret", errors);
            if (authentication.controllerSecret() != null && !Boolean.TRUE.equals(authentication.bidirectional())) {
                errors.add(
                        FailureCode.REQUEST_INVALID,
                        pointer + "/authentication/controllerSecret",
                        "A controller secret needs bidirectional to be true.");
            }
        }
        uuidOf(request.nqn()).ifPresent(uuid -> {
            if (request.hostIdentifier() != null && !request.hostIdentifier().equals(uuid)) {
                errors.add(
                        FailureCode.REQUEST_INVALID,
                        pointer + "/hostIdentifier",
                        "The NQN is of the UUID form, so the host identifier is " + uuid
                                + "; leave it out or give that.");
            }
        });
    }

    /** Makes a host; the caller has checked the request. */
    public HostCreatedView create(HostCreate request, String pointer) {
        UUID hostIdentifier = uuidOf(request.nqn())
                .orElseGet(() -> request.hostIdentifier() != null ? request.hostIdentifier() : ids.next());
        refuseTaken(request.nqn(), hostIdentifier, pointer);
        HostEntity host = new HostEntity();
        host.id = ids.next();
        host.name = request.name() == null ? request.nqn() : request.name();
        host.nqn = request.nqn();
        host.hostIdentifier = hostIdentifier;
        host.authentication(policy(request.authentication()));
        host.createdAt = clock.instant();
        host.updatedAt = host.createdAt;
        try {
            repository.persistAndFlush(host);
        } catch (PersistenceException e) {
            throw lostRace(e, host, pointer);
        }
        HostSecretsView secrets = null;
        if (request.authentication() != null) {
            secrets = putKeys(
                    host,
                    request.authentication().secret(),
                    request.authentication().controllerSecret());
        }
        HostView view = view(host);
        audit.write(AuditWriter.Change.created("host", host.id, view));
        return new HostCreatedView(view, secrets);
    }

    /** Creates a host by itself. */
    public HostCreatedView create(HostCreate request) {
        FieldErrors errors = new FieldErrors();
        check(request, "", errors);
        errors.throwIfAny();
        return create(request, "");
    }

    /** Somebody else was first; the constraint that says so is the answer, but who it was is only known to a new transaction. */
    private static RuntimeException lostRace(PersistenceException e, HostEntity host, String pointer) {
        if (Violations.isOf(e, "host_nqn_unique")) {
            return Failure.ofField(
                            FailureCode.HOST_NQN_TAKEN,
                            pointer + "/nqn",
                            "Another host has the NQN " + host.nqn + " already; use it by its id.")
                    .because("lost the race", e);
        }
        if (Violations.isOf(e, "host_identifier_unique")) {
            return Failure.ofField(
                            FailureCode.HOST_HOSTID_TAKEN,
                            pointer + "/hostIdentifier",
                            "Another host has the host identifier " + host.hostIdentifier
                                    + " already, which cannot go with " + host.nqn + " as well.")
                    .because("lost the race", e);
        }
        return e;
    }

    private static HostAuthentication policy(HostCreate.AuthenticationCreate request) {
        if (request == null) {
            return null;
        }
        return new HostAuthentication(
                Optional.ofNullable(request.hash()).orElse(AuthHash.SHA_256),
                Optional.ofNullable(request.dhGroup()).orElse(AuthDhGroup.FFDHE_2048),
                Boolean.TRUE.equals(request.bidirectional()));
    }

    private void refuseTaken(String nqn, UUID hostIdentifier, String pointer) {
        repository.byNqn(nqn).ifPresent(other -> {
            throw Failure.ofField(
                            FailureCode.HOST_NQN_TAKEN,
                            pointer + "/nqn",
                            "The host '" + other.name + "' has this NQN already; use it by its id.")
                    .with("hostId", other.id.toString());
        });
        repository.byHostIdentifier(hostIdentifier).ifPresent(other -> {
            throw Failure.ofField(
                            FailureCode.HOST_HOSTID_TAKEN,
                            pointer + "/hostIdentifier",
                            "The host identifier " + hostIdentifier + " belongs to " + other.nqn
                                    + " and cannot go with " + nqn
                                    + " as well: Linux refuses a second NQN for one host identifier.")
                    .with("hostNqns", List.of(other.nqn, nqn));
        });
    }

    private HostSecretsView putKeys(HostEntity host, String secret, String controllerSecret) {
        HostAuthentication authentication = host.authentication().orElseThrow();
        HostId id = new HostId(host.id);
        String hostSecret = keys.put(id, HostKeyPurpose.HOST, secret, authentication.hash());
        String other = authentication.bidirectional()
                ? keys.put(id, HostKeyPurpose.CONTROLLER, controllerSecret, authentication.hash())
                : null;
        return new HostSecretsView(id, host.nqn, host.hostIdentifier, hostSecret, other);
    }

    /** Replaces the keys at once: there is no time in which both are valid. */
    public HostKeysCreatedView replaceKeys(HostId id, HostKeysCreate request) {
        HostEntity host = locked(id);
        FieldErrors errors = new FieldErrors();
        HostAuthentication authentication = host.authentication()
                .orElseThrow(
                        () -> Failure.of(
                                FailureCode.REQUEST_UNSUPPORTED,
                                "This host connects without authentication, so it has no keys; make a new host with authentication."));
        HostKeys.check(request.secret(), "/secret", errors);
        HostKeys.check(request.controllerSecret(), "/controllerSecret", errors);
        if (request.controllerSecret() != null && !authentication.bidirectional()) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/controllerSecret",
                    "This host authenticates one way; it has no controller secret.");
        }
        errors.throwIfAny();
        repository.removeKeys(id);
        HostSecretsView secrets = putKeys(host, request.secret(), request.controllerSecret());
        host.updatedAt = clock.instant();
        repository.flush();
        Optional<JobId> job = uses.stream()
                .flatMap(use -> use.onChanged(id, "give new keys to " + host.nqn).stream())
                .findFirst();
        AuditWriter.Change change = new AuditWriter.Change(
                "host.replace_keys", "host", id.value(), Optional.empty(), Optional.of(view(host)), job);
        audit.write(change);
        return new HostKeysCreatedView(secrets, job.orElse(null));
    }

    /** Changes the name or the policy; the keys stay, and so do live connections. */
    public HostAccepted update(HostId id, HostUpdate request, String ifMatch) {
        HostEntity host = locked(id);
        new RowVersion(host.version).requireMatch(ifMatch);
        FieldErrors errors = new FieldErrors();
        checkName(request.name(), "", errors);
        if (request.authentication() != null && host.authHash == null) {
            errors.add(
                    FailureCode.REQUEST_INVALID,
                    "/authentication",
                    "This host connects without authentication, so it has no policy; make a new host with authentication.");
        }
        errors.throwIfAny();
        HostView before = view(host);
        host.name = Optional.ofNullable(request.name()).orElse(host.name);
        if (request.authentication() != null) {
            host.authHash = Optional.ofNullable(request.authentication().hash()).orElse(host.authHash);
            host.authDhGroup =
                    Optional.ofNullable(request.authentication().dhGroup()).orElse(host.authDhGroup);
        }
        host.updatedAt = clock.instant();
        repository.flush();
        HostView after = view(host);
        Optional<JobId> job = Objects.equals(before.authentication(), after.authentication())
                ? Optional.empty()
                : uses.stream()
                        .flatMap(use -> use.onChanged(id, "change the policy of " + host.nqn).stream())
                        .findFirst();
        AuditWriter.Change change = AuditWriter.Change.updated("host", id.value(), before, after);
        audit.write(job.map(change::by).orElse(change));
        return new HostAccepted(after, job.orElse(null));
    }

    private static void checkName(String name, String pointer, FieldErrors errors) {
        if (name != null && (name.isBlank() || name.length() > NAME_CHARACTERS_MAX)) {
            errors.add(FailureCode.REQUEST_INVALID, pointer + "/name", "Give a name of 1 to 223 characters.");
        }
    }

    public HostView get(HostId id) {
        return view(require(id));
    }

    /** Removes a host that no export lets in. */
    public void delete(HostId id, String ifMatch) {
        HostEntity host = locked(id);
        new RowVersion(host.version).requireMatch(ifMatch);
        List<String> exports =
                uses.stream().flatMap(use -> use.exportsOf(id).stream()).toList();
        if (!exports.isEmpty()) {
            throw inUse(exports);
        }
        HostView before = view(host);
        repository.delete(host);
        try {
            repository.flush();
        } catch (PersistenceException e) {
            if (Violations.isReference(e)) {
                // Somebody let the host in after we looked.
                throw inUse(List.of()).because("lost the race", e);
            }
            throw e;
        }
        audit.write(AuditWriter.Change.deleted("host", id.value(), before));
    }

    private static Failure inUse(List<String> exports) {
        return Failure.of(
                        FailureCode.HOST_IN_USE,
                        "The host is let in by " + (exports.isEmpty() ? "an export" : String.join(", ", exports))
                                + "; remove it there first.")
                .with("exports", exports);
    }

    /** Views of many hosts with a constant number of statements. */
    public List<HostView> views(Collection<HostId> hosts) {
        if (hosts.isEmpty()) {
            return List.of();
        }
        List<HostEntity> found = repository.list(
                "id in ?1 order by id", hosts.stream().map(HostId::value).toList());
        return viewsOf(found);
    }

    List<HostView> viewsOf(List<HostEntity> hosts) {
        Map<UUID, List<HostKeyEntity>> all =
                repository.keysOf(hosts.stream().map(host -> host.id).toList());
        return hosts.stream()
                .map(host -> view(host, all.getOrDefault(host.id, List.of())))
                .toList();
    }

    /** Hosts after {@code after} in the order of their ids. */
    List<HostView> page(UUID after, int count, Optional<String> nqn) {
        return viewsOf(nqn.map(wanted -> repository.find("id > ?1 and nqn = ?2 order by id", after, wanted))
                .orElseGet(() -> repository.find("id > ?1 order by id", after))
                .page(0, count)
                .list());
    }

    /** The hosts with their secrets, for heads that serve them. A host whose key cannot be opened is left out: closed, not open. */
    public List<DesiredHost> desired(Collection<HostId> hosts) {
        if (hosts.isEmpty()) {
            return List.of();
        }
        List<UUID> wanted = hosts.stream().map(HostId::value).toList();
        Map<UUID, List<HostKeyEntity>> all = repository.keysOf(wanted);
        return repository.list("id in ?1 order by id", wanted).stream()
                .filter(host -> keys.stateOf(all.getOrDefault(host.id, List.of())) == HostState.READY)
                .map(host -> desired(host, all.getOrDefault(host.id, List.of())))
                .toList();
    }

    private DesiredHost desired(HostEntity host, List<HostKeyEntity> stored) {
        Map<HostKeyPurpose, HostKeyEntity> byPurpose =
                stored.stream().collect(Collectors.toMap(key -> key.purpose, key -> key));
        Optional<DesiredHost.Authentication> authentication = host.authentication()
                .map(policy -> new DesiredHost.Authentication(
                        keys.open(byPurpose.get(HostKeyPurpose.HOST)),
                        Optional.ofNullable(byPurpose.get(HostKeyPurpose.CONTROLLER))
                                .map(keys::open),
                        policy.hash(),
                        policy.dhGroup()));
        return new DesiredHost(new HostId(host.id), host.nqn, host.hostIdentifier, authentication);
    }

    /** Records what a head refused. */
    public void record(HeadId head, List<AuthenticationFailureReport> failures) {
        if (failures.isEmpty()) {
            return;
        }
        failures.forEach(failure -> repository.addFailure(head, failure));
        failures.stream()
                .map(AuthenticationFailureReport::hostNqn)
                .distinct()
                .forEach(nqn -> repository.pruneFailures(nqn, FAILURES_KEPT_PER_HOST));
        repository.pruneFailures(FAILURES_KEPT);
    }

    /** Refusals of one host, newest first; they are found by the whole NQN. */
    Page<AuthenticationFailureView> failuresOf(HostId id, PageQuery query) {
        return page(repository.failuresOf(require(id).nqn, query.after(), query.rowsMax()), query);
    }

    /** Refusals of all hosts, known or not, newest first. */
    Page<AuthenticationFailureView> failures(PageQuery query) {
        return page(repository.failures(query.after(), query.rowsMax()), query);
    }

    private static Page<AuthenticationFailureView> page(List<AuthenticationFailureEntity> rows, PageQuery query) {
        return Page.of(rows, query, row -> row.id, AuthenticationFailureView::of);
    }

    private HostEntity locked(HostId id) {
        return repository
                .findByIdOptional(id.value(), LockModeType.PESSIMISTIC_WRITE)
                .orElseThrow(() -> notFound(id));
    }

    private static Failure notFound(HostId id) {
        return Failure.of(FailureCode.HOST_NOT_FOUND, "There is no host " + id + ". List them with GET /api/v1/hosts.");
    }

    private HostEntity require(HostId id) {
        return repository.findByIdOptional(id.value()).orElseThrow(() -> notFound(id));
    }

    private HostView view(HostEntity host) {
        return view(host, repository.keysOf(List.of(host.id)).getOrDefault(host.id, List.of()));
    }

    private HostView view(HostEntity host, List<HostKeyEntity> stored) {
        return new HostView(
                new HostId(host.id),
                host.name,
                host.nqn,
                host.hostIdentifier,
                host.authentication().orElse(null),
                stored.stream()
                        .map(key -> new HostView.KeyView(key.purpose, key.origin, key.createdAt))
                        .toList(),
                keys.stateOf(stored),
                host.version,
                host.createdAt,
                host.updatedAt);
    }

    /** The UUID in an NQN of the UUID form. */
    static Optional<UUID> uuidOf(String nqn) {
        if (nqn == null || !nqn.startsWith(Nqn.UUID_PREFIX)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Ids.parse(nqn.substring(Nqn.UUID_PREFIX.length())));
        } catch (IllegalArgumentException notThatForm) {
            // The NQN rules name the flaw; here it is only not of the UUID form.
            return Optional.empty();
        }
    }
}
