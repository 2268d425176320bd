package io.fairlead.worker.engine.nvmet;

import java.util.Map;
import java.util.TreeMap;

/** A directory of the fake tree: attributes by name, links by name, and the directories in it. */
final class FakeDirectory {

    enum Kind {
        ROOT,
        HOSTS,
        HOST,
        SUBSYSTEMS,
        SUBSYSTEM,
        NAMESPACES,
        NAMESPACE,
        ALLOWED_HOSTS,
        PASSTHRU,
        PORTS,
        PORT,
        PORT_SUBSYSTEMS,
        REFERRALS,
        REFERRAL,
        ANA_GROUPS,
        ANA_GROUP
    }

    final Kind kind;
    final String name;
    final FakeDirectory parent;

    /** A group that the kernel made together with its parent; it lives and goes with that. */
    final boolean isDefault;

    final Map<String, String> attributes = new TreeMap<>();
    final Map<String, FakeDirectory> directories = new TreeMap<>();
    final Map<String, FakeDirectory> links = new TreeMap<>();

    /** How many links lead here. */
    int linkCount;

    FakeDirectory(Kind kind, String name, FakeDirectory parent, boolean isDefault) {
        this.kind = kind;
        this.name = name;
        this.parent = parent;
        this.isDefault = isDefault;
    }

    FakeDirectory addDefault(Kind defaultKind, String defaultName) {
        FakeDirectory group = new FakeDirectory(defaultKind, defaultName, this, true);
        directories.put(defaultName, group);
        return group;
    }

    /** The directory of that name, following a link; null if there is none. */
    FakeDirectory child(String childName) {
        FakeDirectory directory = directories.get(childName);
        return directory != null ? directory : links.get(childName);
    }

    boolean holds(String childName) {
        return directories.containsKey(childName) || links.containsKey(childName) || attributes.containsKey(childName);
    }

    String attribute(String attributeName) {
        return attributes.get(attributeName);
    }

    boolean is(String attributeName, String value) {
        return value.equals(attributes.get(attributeName));
    }
}
