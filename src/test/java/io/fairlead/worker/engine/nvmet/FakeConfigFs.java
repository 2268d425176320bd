package io.fairlead.worker.engine.nvmet;

import io.fairlead.worker.engine.nvmet.FakeDirectory.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * The tree of nvmet as Linux 6.12 has it, in memory. What configfs itself refuses is here, what nvmet refuses is in {@link FakeNvmet}.
 * Operations that change something are kept in a journal, and can be made to fail.
 */
final class FakeConfigFs implements ConfigFs {

    private record Failure(String operation, String pathPrefix, Errno errno) {}

    private final FakeNvmet nvmet;
    private final FakeDirectory root;
    private final List<Failure> failures = new ArrayList<>();
    private final List<String> journal = new ArrayList<>();

    FakeConfigFs(FakeWorld world) {
        nvmet = new FakeNvmet(world);
        root = nvmet.root();
    }

    /**
     * Makes the next such operation on a path that starts so fail, without effect. Operations are named as in the messages of {@link
     * ConfigFsException}: list, read, write, mkdir, rmdir, link, unlink.
     */
    synchronized void failNext(String operation, String pathPrefix, Errno errno) {
        failures.add(new Failure(operation, pathPrefix, errno));
    }

    /** A host has seen the subsystem's identity, which is fixed from then on. */
    synchronized void markDiscovered(String nqn) {
        nvmet.markDiscovered(nqn);
    }

    /** The changes that had an effect, oldest first: {@code write ports/1/addr_trtype tcp}. */
    synchronized List<String> journal() {
        return List.copyOf(journal);
    }

    synchronized void clearJournal() {
        journal.clear();
    }

    @Override
    public synchronized boolean isDirectory(String path) {
        try {
            directory(path);
            return true;
        } catch (FakeRefusal absent) {
            return false;
        }
    }

    @Override
    public synchronized boolean isAttribute(String path) {
        try {
            return !path.isEmpty() && parent(path).attributes.containsKey(nameOf(path));
        } catch (FakeRefusal absent) {
            return false;
        }
    }

    @Override
    public synchronized List<String> list(String path) throws ConfigFsException {
        return call("list", path, () -> {
            FakeDirectory directory = directory(path);
            TreeSet<String> names = new TreeSet<>(directory.attributes.keySet());
            names.addAll(directory.directories.keySet());
            names.addAll(directory.links.keySet());
            return List.copyOf(names);
        });
    }

    @Override
    public synchronized String read(String path) throws ConfigFsException {
        return call("read", path, () -> nvmet.show(holder(path), nameOf(path)));
    }

    @Override
    public synchronized void write(String path, String value) throws ConfigFsException {
        change("write", path, " " + value, () -> {
            FakeDirectory holder = holder(path);
            // The kernel is not called for a write of nothing, so that an attribute cannot be emptied this way.
            if (!value.isEmpty()) {
                nvmet.store(holder, nameOf(path), value);
            }
        });
    }

    @Override
    public synchronized void makeDirectory(String path) throws ConfigFsException {
        change("mkdir", path, "", () -> {
            if (path.isEmpty()) {
                throw new FakeRefusal(Errno.EEXIST);
            }
            FakeDirectory parent = parent(path);
            String name = newName(parent, path);
            parent.directories.put(name, nvmet.make(parent, name));
        });
    }

    @Override
    public synchronized void removeDirectory(String path) throws ConfigFsException {
        change("rmdir", path, "", () -> {
            FakeDirectory parent = path.isEmpty() ? null : parent(path);
            if (parent != null && parent.links.containsKey(nameOf(path))) {
                throw new FakeRefusal(Errno.ENOTDIR);
            }
            FakeDirectory directory = directory(path);
            if (directory.isDefault) {
                throw new FakeRefusal(Errno.EPERM);
            }
            requireUnused(directory);
            parent.directories.remove(directory.name);
        });
    }

    /** The target of a link is busy; a directory with something made by hand in it, or in its groups, is not empty. */
    private static void requireUnused(FakeDirectory directory) throws FakeRefusal {
        if (directory.linkCount > 0) {
            throw new FakeRefusal(Errno.EBUSY);
        }
        if (!directory.links.isEmpty()) {
            throw new FakeRefusal(Errno.ENOTEMPTY);
        }
        for (FakeDirectory child : directory.directories.values()) {
            if (!child.isDefault) {
                throw new FakeRefusal(Errno.ENOTEMPTY);
            }
            requireUnused(child);
        }
    }

    @Override
    public synchronized void link(String target, String link) throws ConfigFsException {
        change("link", link, "", () -> {
            FakeDirectory parent = parent(link);
            String name = newName(parent, link);
            if (parent.kind != Kind.ALLOWED_HOSTS && parent.kind != Kind.PORT_SUBSYSTEMS) {
                throw new FakeRefusal(Errno.EPERM);
            }
            FakeDirectory object = directory(target);
            nvmet.allowLink(parent, object);
            parent.links.put(name, object);
            object.linkCount++;
        });
    }

    @Override
    public synchronized void unlink(String link) throws ConfigFsException {
        change("unlink", link, "", () -> {
            FakeDirectory parent = parent(link);
            String name = nameOf(link);
            if (parent.directories.containsKey(name)) {
                throw new FakeRefusal("Is a directory");
            }
            if (parent.attributes.containsKey(name)) {
                throw new FakeRefusal(Errno.EPERM);
            }
            FakeDirectory target = parent.links.remove(name);
            if (target == null) {
                throw new FakeRefusal(Errno.ENOENT);
            }
            target.linkCount--;
        });
    }

    private FakeDirectory directory(String path) throws FakeRefusal {
        FakeDirectory at = root;
        if (path.isEmpty()) {
            return at;
        }
        for (String name : path.split("/", -1)) {
            FakeDirectory next = at.child(name);
            if (next == null) {
                throw new FakeRefusal(at.attributes.containsKey(name) ? Errno.ENOTDIR : Errno.ENOENT);
            }
            at = next;
        }
        return at;
    }

    private FakeDirectory parent(String path) throws FakeRefusal {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? root : directory(path.substring(0, slash));
    }

    /** The directory that has the attribute. */
    private FakeDirectory holder(String path) throws FakeRefusal {
        FakeDirectory parent = parent(path);
        String name = nameOf(path);
        if (path.isEmpty() || parent.child(name) != null) {
            throw new FakeRefusal("Is a directory");
        }
        if (!parent.attributes.containsKey(name)) {
            throw new FakeRefusal(Errno.ENOENT);
        }
        return parent;
    }

    private static String newName(FakeDirectory parent, String path) throws FakeRefusal {
        String name = nameOf(path);
        if (name.length() > 255) {
            throw new FakeRefusal(Errno.ENAMETOOLONG);
        }
        if (parent.holds(name)) {
            throw new FakeRefusal(Errno.EEXIST);
        }
        return name;
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private interface Call<T> {
        T run() throws FakeRefusal;
    }

    private interface Change {
        void run() throws FakeRefusal;
    }

    private void change(String operation, String path, String detail, Change change) throws ConfigFsException {
        call(operation, path, () -> {
            change.run();
            return journal.add(operation + " " + path + detail);
        });
    }

    private <T> T call(String operation, String path, Call<T> call) throws ConfigFsException {
        try {
            failAsScripted(operation, path);
            return call.run();
        } catch (FakeRefusal refusal) {
            throw new ConfigFsException(operation, path, Errno.of(refusal), refusal);
        }
    }

    private void failAsScripted(String operation, String path) throws FakeRefusal {
        for (Iterator<Failure> scripted = failures.iterator(); scripted.hasNext(); ) {
            Failure failure = scripted.next();
            if (failure.operation().equals(operation) && path.startsWith(failure.pathPrefix())) {
                scripted.remove();
                throw new FakeRefusal(failure.errno());
            }
        }
    }
}
