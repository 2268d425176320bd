package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.AddressFamily;
import io.fairlead.contract.Transport;
import io.fairlead.core.ListenerId;
import io.fairlead.nvme.spec.AnaState;
import io.fairlead.worker.engine.EngineFault;
import io.fairlead.worker.engine.ObservedTarget.ObservedListener;
import io.fairlead.worker.engine.TargetSpec.ListenerSpec;
import io.fairlead.worker.engine.nvmet.Ownership.PortEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Ports: listeners, with the ANA states seen through them. The attributes of a port are fixed while a subsystem is linked to it (EACCES),
 * so a listener that changes gets another port; the old one goes when the new one listens, except where both would need one address.
 */
final class NvmetPorts {

    private static final System.Logger LOG = System.getLogger(NvmetPorts.class.getName());

    private static final int PORT_ID_MAX = 65_534;
    private static final int DEFAULT_GROUP = 1;
    private static final int FIRST_RDMA_PORT = 4420;

    /** Ports that are tried for a listener that takes any. */
    private static final int CHOICES_MAX = 8;

    private final Tree tree;
    private final Ownership ownership;
    private final Machine machine;

    NvmetPorts(Tree tree, Ownership ownership, Machine machine) {
        this.tree = tree;
        this.ownership = ownership;
        this.machine = machine;
    }

    Map<ListenerId, ObservedListener> observe() throws ConfigFsException {
        Map<ListenerId, ObservedListener> observed = new HashMap<>();
        for (PortEntry entry : ownership.ports().values()) {
            if (tree.isListening(entry.port())) {
                observed.put(entry.id(), observe(entry));
            }
        }
        return observed;
    }

    private ObservedListener observe(PortEntry entry) throws ConfigFsException {
        String path = Tree.port(entry.port());
        return new ObservedListener(
                entry.id(),
                Transport.valueOf(tree.value(path + "/addr_trtype").toUpperCase(Locale.ROOT)),
                tree.value(path + "/addr_traddr"),
                Integer.parseInt(tree.value(path + "/addr_trsvcid")),
                parameter(path + "/param_inline_data_size"),
                parameter(path + "/param_max_queue_size"),
                anaStates(entry.port()));
    }

    private Optional<Integer> parameter(String attribute) throws ConfigFsException {
        String value = tree.value(attribute);
        return value.isEmpty() || value.startsWith("-") ? Optional.empty() : Optional.of(Integer.valueOf(value));
    }

    /** A group without a directory is inaccessible to the kernel; that matters once a namespace that is served here is in it. */
    private Map<Long, AnaState> anaStates(int port) throws ConfigFsException {
        Map<Long, AnaState> states = new HashMap<>();
        for (String group : tree.names(Tree.anaGroups(port))) {
            states.put(Long.valueOf(group), state(tree.value(Tree.anaState(port, Long.parseLong(group)))));
        }
        for (String nqn : tree.names(Tree.linked(port))) {
            for (String nsid : tree.names(Tree.namespaces(nqn))) {
                String group = tree.value(Tree.namespaces(nqn) + "/" + nsid + "/ana_grpid");
                if (!group.isEmpty()) {
                    states.putIfAbsent(Long.valueOf(group), AnaState.INACCESSIBLE);
                }
            }
        }
        return states;
    }

    /** By NQN, the listeners that serve it; a port that Fairlead did not make has an id that follows from its number. */
    Map<String, Set<ListenerId>> links() throws ConfigFsException {
        Map<String, Set<ListenerId>> links = new HashMap<>();
        for (int port : tree.ports()) {
            for (String nqn : tree.names(Tree.linked(port))) {
                links.computeIfAbsent(nqn, _ -> new HashSet<>()).add(idOf(port));
            }
        }
        return links;
    }

    private ListenerId idOf(int port) {
        return ownership.ports().values().stream()
                .filter(entry -> entry.port() == port)
                .map(PortEntry::id)
                .findFirst()
                .orElseGet(() -> new ListenerId(
                        UUID.nameUUIDFromBytes(("nvmet port " + port).getBytes(StandardCharsets.UTF_8))));
    }

    /**
     * Listens, or finds that it does.
     *
     * @param serving NQNs of the subsystems that a new listener serves at once
     */
    void add(ListenerSpec listener, List<String> serving) throws EngineFault {
        String what = describe(listener);
        Optional<String> cannot = machine.whyNot(listener.transport());
        if (cannot.isPresent()) {
            throw EngineFault.broken("listener.transport_unavailable", cannot.get(), null);
        }
        try {
            sweep();
            PortEntry present = ownership.ports().get(listener.id());
            if (present != null && tree.isListening(present.port())) {
                if (isAsWanted(present, listener)) {
                    setAnaStates(present.port(), listener.anaStates());
                    keepListening(present.port());
                } else {
                    move(present, listener, what);
                }
            } else {
                requireAddress(listener, what);
                addAnew(listener, serving, what);
            }
        } catch (ConfigFsException e) {
            throw explain(listener, what, e);
        }
    }

    private void requireAddress(ListenerSpec listener, String what) throws EngineFault {
        if (!machine.hasAddress(listener.traddr())) {
            throw EngineFault.notYet(
                    "listener.address_absent",
                    "No interface of this head has the address of " + what
                            + " (EADDRNOTAVAIL). It listens once one has.",
                    null);
        }
    }

    private void addAnew(ListenerSpec listener, List<String> serving, String what)
            throws ConfigFsException, EngineFault {
        PortEntry entry = ownership.ports().get(listener.id());
        if (entry == null) {
            Optional<Integer> same = portWithExactly(listener);
            PortEntry made = new PortEntry(listener.id(), same.isPresent() ? same.get() : freeNumber());
            ownership.change(record -> record.put(made));
            if (same.isPresent()) {
                setAnaStates(made.port(), listener.anaStates());
                keepListening(made.port());
                return;
            }
            entry = made;
        }
        try {
            open(entry.port(), listener, serving, what);
        } catch (ConfigFsException | EngineFault e) {
            removeDirectory(entry.port());
            ownership.change(record -> record.remove(listener.id()));
            throw e;
        }
    }

    /** One that nobody in the record owns, though it is as wanted: the record was lost. */
    private Optional<Integer> portWithExactly(ListenerSpec listener) throws ConfigFsException {
        for (int port : tree.ports()) {
            boolean isFree = !ownership.ownsPort(port) && tree.has(Tree.link(port, Tree.KEEPER));
            if (isFree && listener.trsvcid() != 0 && isAsWanted(new PortEntry(listener.id(), port), listener)) {
                return Optional.of(port);
            }
        }
        return Optional.empty();
    }

    private boolean isAsWanted(PortEntry entry, ListenerSpec wanted) throws ConfigFsException {
        ObservedListener present = observe(entry);
        return present.transport() == wanted.transport()
                && present.traddr().equals(wanted.traddr())
                && (wanted.trsvcid() == 0 || wanted.trsvcid() == present.trsvcid())
                && agrees(wanted.inCapsuleBytes(), present.inCapsuleBytes())
                && agrees(wanted.queueSizeMax(), present.queueSizeMax());
    }

    private static boolean agrees(Optional<Integer> wanted, Optional<Integer> present) {
        return wanted.isEmpty() || present.isEmpty() || wanted.equals(present);
    }

    /**
     * Writes everything that is fixed later, then has the kernel listen and links what is served there with nothing in between: the kernel
     * listens from the first link on, and refuses for good who asks for a subsystem whose link is yet to come.
     */
    private void open(int port, ListenerSpec listener, List<String> serving, String what)
            throws ConfigFsException, EngineFault {
        String path = Tree.port(port);
        tree.make(path);
        tree.set(path + "/addr_trtype", listener.transport().name().toLowerCase(Locale.ROOT));
        tree.set(path + "/addr_adrfam", listener.adrfam() == AddressFamily.IPV6 ? "ipv6" : "ipv4");
        tree.set(path + "/addr_traddr", listener.traddr());
        if (tree.fs().isAttribute(path + "/param_pi_enable")) {
            tree.set(path + "/param_pi_enable", "0");
        }
        setParameter(path + "/param_inline_data_size", listener.inCapsuleBytes());
        setParameter(path + "/param_max_queue_size", listener.queueSizeMax());
        setAnaStates(port, listener.anaStates());
        for (String nqn : serving) {
            ensureGroups(port, nqn);
        }
        listen(port, listener, what);
        for (String nqn : serving) {
            linkAhead(port, nqn);
        }
    }

    private void listen(int port, ListenerSpec listener, String what) throws ConfigFsException, EngineFault {
        String path = Tree.port(port);
        if (listener.trsvcid() != 0) {
            tree.set(path + "/addr_trsvcid", Integer.toString(listener.trsvcid()));
            keepListening(port);
            return;
        }
        ConfigFsException last = null;
        for (int choice = 0; choice < CHOICES_MAX; choice++) {
            tree.set(path + "/addr_trsvcid", Integer.toString(chooseService(listener, choice, what)));
            try {
                keepListening(port);
                return;
            } catch (ConfigFsException e) {
                if (e.errno() != Errno.EADDRINUSE) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }

    private void linkAhead(int port, String nqn) {
        try {
            tree.fs().link(Tree.subsystem(nqn), Tree.link(port, nqn));
        } catch (ConfigFsException e) {
            // The others are served all the same, and the step that links this one says why it cannot be.
            LOG.log(System.Logger.Level.INFO, "event=link-postponed port=" + port + " subsystem=" + nqn, e);
        }
    }

    private void setParameter(String attribute, Optional<Integer> wanted) throws ConfigFsException {
        if (wanted.isPresent() && tree.fs().isAttribute(attribute)) {
            tree.set(attribute, Integer.toString(wanted.get()));
        }
    }

    private int chooseService(ListenerSpec listener, int choice, String what) throws ConfigFsException, EngineFault {
        if (listener.transport() == Transport.TCP) {
            try {
                return machine.freeTcpPort(listener.traddr());
            } catch (IOException e) {
                throw EngineFault.notYet(
                        "listener.address_absent",
                        "No TCP port of " + what + " can be had at present: " + e.getMessage(),
                        e);
            }
        }
        // RDMA services are numbered apart from TCP ports; nvmet's own are known, others are found when the kernel
        // refuses.
        Set<String> taken = new HashSet<>();
        for (int port : tree.ports()) {
            if (tree.value(Tree.port(port) + "/addr_trtype").equals("rdma")) {
                taken.add(tree.value(Tree.port(port) + "/addr_trsvcid"));
            }
        }
        int service = FIRST_RDMA_PORT + choice;
        while (taken.contains(Integer.toString(service))) {
            service++;
        }
        return service;
    }

    /** A refusal because of a port that can be named is told with its number. */
    private EngineFault explain(ListenerSpec listener, String what, ConfigFsException e) {
        if (e.errno() == Errno.EADDRINUSE) {
            try {
                Optional<Integer> foreign = foreignPortAt(listener);
                if (foreign.isPresent()) {
                    return EngineFault.notYet(
                            "listener.address_in_use",
                            "Port " + foreign.get()
                                    + " of the kernel's target, which Fairlead did not make, listens on " + what
                                    + ". It listens once that has gone.",
                            e);
                }
            } catch (ConfigFsException unreadable) {
                e.addSuppressed(unreadable);
            }
        }
        return Refused.LISTENER.explain(what, e);
    }

    private Optional<Integer> foreignPortAt(ListenerSpec listener) throws ConfigFsException {
        for (int port : tree.ports()) {
            String path = Tree.port(port);
            if (!ownership.ownsPort(port)
                    && tree.isListening(port)
                    && tree.value(path + "/addr_trtype")
                            .equalsIgnoreCase(listener.transport().name())
                    && tree.value(path + "/addr_traddr").equals(listener.traddr())
                    && tree.value(path + "/addr_trsvcid").equals(Integer.toString(listener.trsvcid()))) {
                return Optional.of(port);
            }
        }
        return Optional.empty();
    }

    private void keepListening(int port) throws ConfigFsException {
        tree.make(Tree.subsystem(Tree.KEEPER));
        tree.set(Tree.subsystem(Tree.KEEPER) + "/attr_allow_any_host", "0");
        tree.link(Tree.subsystem(Tree.KEEPER), Tree.link(port, Tree.KEEPER));
    }

    private void move(PortEntry present, ListenerSpec listener, String what) throws ConfigFsException, EngineFault {
        requireAddress(listener, what);
        List<String> linked = tree.names(Tree.linked(present.port()));
        ObservedListener before = observe(present);
        int service = listener.trsvcid() == 0 ? before.trsvcid() : listener.trsvcid();
        boolean isSamePlace = before.transport() == listener.transport()
                && before.traddr().equals(listener.traddr())
                && before.trsvcid() == service;
        if (isSamePlace) {
            // Two ports cannot have one address: its hosts connect again.
            unlinkAll(present.port());
            open(present.port(), withService(listener, service), others(linked), what);
            linkAll(linked, present.port());
            return;
        }
        PortEntry made = new PortEntry(listener.id(), freeNumber());
        ownership.change(record -> record.retire(made.port()));
        try {
            open(made.port(), listener, others(linked), what);
            linkAll(linked, made.port());
        } catch (ConfigFsException | EngineFault e) {
            sweep();
            throw e;
        }
        ownership.change(record -> record.put(made).unretire(made.port()).retire(present.port()));
        sweep();
    }

    private static ListenerSpec withService(ListenerSpec listener, int service) {
        return new ListenerSpec(
                listener.id(),
                listener.transport(),
                listener.adrfam(),
                listener.traddr(),
                service,
                listener.inCapsuleBytes(),
                listener.queueSizeMax(),
                listener.anaStates());
    }

    private static List<String> others(List<String> linked) {
        return linked.stream().filter(nqn -> !nqn.equals(Tree.KEEPER)).toList();
    }

    private void linkAll(List<String> nqns, int port) throws ConfigFsException {
        for (String nqn : nqns) {
            ensureGroups(port, nqn);
            tree.link(Tree.subsystem(nqn), Tree.link(port, nqn));
        }
    }

    private void ensureGroups(int port, String nqn) throws ConfigFsException {
        for (String nsid : tree.names(Tree.namespaces(nqn))) {
            ensureGroup(port, Long.parseLong(tree.value(Tree.namespaces(nqn) + "/" + nsid + "/ana_grpid")));
        }
    }

    /** Removes the ports that listeners have moved away from, also those that an earlier process left. */
    void sweep() throws ConfigFsException {
        for (int port : List.copyOf(ownership.retired())) {
            removeDirectory(port);
            ownership.change(record -> record.unretire(port));
        }
    }

    private void unlinkAll(int port) throws ConfigFsException {
        for (String nqn : tree.names(Tree.linked(port))) {
            tree.unlink(Tree.link(port, nqn));
        }
    }

    private void removeDirectory(int port) throws ConfigFsException {
        if (!tree.has(Tree.port(port))) {
            return;
        }
        unlinkAll(port);
        for (String group : tree.names(Tree.anaGroups(port))) {
            if (!group.equals(Integer.toString(DEFAULT_GROUP))) {
                tree.remove(Tree.anaGroups(port) + "/" + group);
            }
        }
        tree.remove(Tree.port(port));
    }

    void remove(ListenerId id) throws EngineFault {
        PortEntry entry = ownership.ports().get(id);
        if (entry == null) {
            return;
        }
        String what = "listener " + id;
        try {
            for (String nqn : tree.names(Tree.linked(entry.port()))) {
                if (!nqn.equals(Tree.KEEPER) && !ownership.ownsSubsystem(nqn)) {
                    throw EngineFault.broken(
                            "listener.in_use",
                            "Subsystem " + nqn + ", which Fairlead did not make, is linked to port " + entry.port()
                                    + " of the kernel's target. The listener stays until that link is removed.",
                            null);
                }
            }
            removeDirectory(entry.port());
            ownership.change(record -> record.remove(id));
            if (ownership.ports().isEmpty()) {
                tree.remove(Tree.subsystem(Tree.KEEPER));
            }
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain(what, e);
        }
    }

    void setAnaState(ListenerId id, long group, AnaState state) throws EngineFault {
        PortEntry entry = require(id);
        try {
            setAnaState(entry.port(), group, state);
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain("ANA group " + group + " of listener " + id, e);
        }
    }

    private void setAnaStates(int port, Map<Long, AnaState> wanted) throws ConfigFsException {
        Set<Long> groups = new HashSet<>(wanted.keySet());
        groups.addAll(anaStates(port).keySet());
        for (long group : groups) {
            setAnaState(port, group, wanted.getOrDefault(group, AnaState.OPTIMIZED));
        }
    }

    private void setAnaState(int port, long group, AnaState state) throws ConfigFsException {
        tree.make(Tree.anaGroups(port) + "/" + group);
        tree.set(Tree.anaState(port, group), name(state));
    }

    /** Groups are inaccessible until they have a directory and a state. */
    void ensureGroup(int port, long group) throws ConfigFsException {
        if (!tree.has(Tree.anaGroups(port) + "/" + group)) {
            setAnaState(port, group, AnaState.OPTIMIZED);
        }
    }

    private PortEntry require(ListenerId id) throws EngineFault {
        PortEntry entry = ownership.ports().get(id);
        try {
            if (entry != null && tree.isListening(entry.port())) {
                return entry;
            }
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain("listener " + id, e);
        }
        throw EngineFault.notYet("listener.absent", "Listener " + id + " is not listening yet.", null);
    }

    void link(String nqn, ListenerId id) throws EngineFault {
        int port = require(id).port();
        try {
            ensureGroups(port, nqn);
            keepListening(port);
            tree.link(Tree.subsystem(nqn), Tree.link(port, nqn));
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain("listener " + id, e);
        }
    }

    void unlink(String nqn, ListenerId id) throws EngineFault {
        try {
            for (int port : tree.ports()) {
                if (idOf(port).equals(id) && tree.has(Tree.link(port, nqn))) {
                    if (ownership.ownsPort(port)) {
                        keepListening(port);
                    }
                    tree.unlink(Tree.link(port, nqn));
                }
            }
        } catch (ConfigFsException e) {
            throw Refused.LISTENER.explain("listener " + id, e);
        }
    }

    void unlinkEverywhere(String nqn) throws ConfigFsException {
        for (int port : tree.ports()) {
            tree.unlink(Tree.link(port, nqn));
        }
    }

    /** Ends all associations of the subsystem; its ports go on listening. */
    void relink(String nqn) throws ConfigFsException {
        for (int port : tree.ports()) {
            if (tree.has(Tree.link(port, nqn))) {
                tree.unlink(Tree.link(port, nqn));
                tree.link(Tree.subsystem(nqn), Tree.link(port, nqn));
            }
        }
    }

    /** The ports that serve the subsystem and are Fairlead's. */
    List<Integer> serving(String nqn) throws ConfigFsException {
        return tree.ports().stream()
                .filter(port -> ownership.ownsPort(port) && tree.has(Tree.link(port, nqn)))
                .toList();
    }

    private int freeNumber() throws ConfigFsException, EngineFault {
        Set<Integer> taken = new HashSet<>(tree.ports());
        for (int port = 1; port <= PORT_ID_MAX; port++) {
            if (!taken.contains(port) && !ownership.ownsPort(port)) {
                return port;
            }
        }
        throw EngineFault.broken("listener.too_many", "The kernel's target has no port number left.", null);
    }

    private static String describe(ListenerSpec listener) {
        return listener.transport().name().toLowerCase(Locale.ROOT) + " " + listener.traddr() + " port "
                + listener.trsvcid();
    }

    private static String name(AnaState state) {
        return switch (state) {
            case OPTIMIZED -> "optimized";
            case NON_OPTIMIZED -> "non-optimized";
            case INACCESSIBLE -> "inaccessible";
            case PERSISTENT_LOSS -> "persistent-loss";
            case CHANGE -> "change";
        };
    }

    private static AnaState state(String name) {
        return switch (name) {
            case "optimized" -> AnaState.OPTIMIZED;
            case "non-optimized" -> AnaState.NON_OPTIMIZED;
            case "persistent-loss" -> AnaState.PERSISTENT_LOSS;
            case "change" -> AnaState.CHANGE;
            default -> AnaState.INACCESSIBLE;
        };
    }
}
