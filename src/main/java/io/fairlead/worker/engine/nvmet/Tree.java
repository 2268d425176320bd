package io.fairlead.worker.engine.nvmet;

import io.fairlead.worker.engine.EngineFault;
import java.util.List;

/** Where things are in nvmet's tree, and the operations on it that hold for all of them. */
final class Tree {

    static final String HOSTS = "hosts";
    static final String SUBSYSTEMS = "subsystems";
    static final String PORTS = "ports";

    /**
     * A subsystem without namespaces that lets nobody in. The kernel listens on a port only while a subsystem is linked to it; this one
     * keeps a listener listening, so that a wrong address is found when the listener is added and moving a subsystem closes nothing. No
     * host can see it in a discovery log, because none is allowed.
     */
    static final String KEEPER = "nqn.2026-01.io.fairlead:nvmet:listening";

    private final ConfigFs fs;

    Tree(ConfigFs fs) {
        this.fs = fs;
    }

    ConfigFs fs() {
        return fs;
    }

    static String host(String nqn) {
        return HOSTS + "/" + nqn;
    }

    static String subsystem(String nqn) {
        return SUBSYSTEMS + "/" + nqn;
    }

    static String namespaces(String nqn) {
        return subsystem(nqn) + "/namespaces";
    }

    static String namespace(String nqn, long nsid) {
        return namespaces(nqn) + "/" + nsid;
    }

    static String allowedHosts(String nqn) {
        return subsystem(nqn) + "/allowed_hosts";
    }

    static String port(int port) {
        return PORTS + "/" + port;
    }

    static String linked(int port) {
        return port(port) + "/subsystems";
    }

    static String link(int port, String nqn) {
        return linked(port) + "/" + nqn;
    }

    static String anaGroups(int port) {
        return port(port) + "/ana_groups";
    }

    static String anaState(int port, long group) {
        return anaGroups(port) + "/" + group + "/ana_state";
    }

    /** The NQN, if it can be the name of a directory. */
    static String nameable(String nqn) throws EngineFault {
        if (nqn.isEmpty() || nqn.contains("/") || nqn.startsWith(".")) {
            throw EngineFault.broken(
                    "engine.name_unusable",
                    "The kernel's target keeps objects as directories named by their NQN, and '" + nqn
                            + "' cannot be the name of one. Use an NQN without '/'.",
                    null);
        }
        return nqn;
    }

    boolean has(String path) {
        return fs.isDirectory(path);
    }

    /** The names in a directory; none when it is not there. */
    List<String> names(String directory) throws ConfigFsException {
        return fs.isDirectory(directory) ? fs.list(directory) : List.of();
    }

    /** The value, or an empty one where this kernel has no such attribute. */
    String value(String attribute) throws ConfigFsException {
        return fs.isAttribute(attribute) ? fs.read(attribute) : "";
    }

    /** Writes only what differs: some attributes cannot be written while in use, not even with the value that they have. */
    void set(String attribute, String value) throws ConfigFsException {
        if (!value(attribute).equals(value)) {
            fs.write(attribute, value);
        }
    }

    void make(String directory) throws ConfigFsException {
        if (!fs.isDirectory(directory)) {
            fs.makeDirectory(directory);
        }
    }

    void remove(String directory) throws ConfigFsException {
        if (fs.isDirectory(directory)) {
            fs.removeDirectory(directory);
        }
    }

    void link(String target, String link) throws ConfigFsException {
        if (!fs.isDirectory(link)) {
            fs.link(target, link);
        }
    }

    void unlink(String link) throws ConfigFsException {
        if (fs.isDirectory(link)) {
            fs.unlink(link);
        }
    }

    /** Whether any subsystem is linked to the port, which is when the kernel listens. */
    boolean isListening(int port) throws ConfigFsException {
        return !names(linked(port)).isEmpty();
    }

    List<Integer> ports() throws ConfigFsException {
        return names(PORTS).stream().map(Integer::valueOf).sorted().toList();
    }
}
