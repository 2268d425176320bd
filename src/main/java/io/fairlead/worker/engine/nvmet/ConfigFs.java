package io.fairlead.worker.engine.nvmet;

import java.util.List;

/**
 * What configfs can do, and nothing more: directories that are objects, files that are attributes, links that are relations. Paths are
 * relative to the root of one subsystem of configfs ({@code nvmet}), without a leading slash; the empty path is the root.
 *
 * <p>Each operation either has had its whole effect when it returns or has thrown.
 */
interface ConfigFs {

    /** Whether there is such a directory; a link to one counts. */
    boolean isDirectory(String path);

    /** Whether there is such an attribute. */
    boolean isAttribute(String path);

    /** The names in a directory, sorted: objects, attributes and links alike. */
    List<String> list(String path) throws ConfigFsException;

    /** The value of an attribute without its end of line. */
    String read(String path) throws ConfigFsException;

    /** Sets an attribute in one write. */
    void write(String path, String value) throws ConfigFsException;

    /** Makes an object. */
    void makeDirectory(String path) throws ConfigFsException;

    /** Removes an object, and with it its attributes and the groups that the kernel made for it. */
    void removeDirectory(String path) throws ConfigFsException;

    /** Makes the link {@code link} to the object {@code target}. */
    void link(String target, String link) throws ConfigFsException;

    void unlink(String link) throws ConfigFsException;
}
