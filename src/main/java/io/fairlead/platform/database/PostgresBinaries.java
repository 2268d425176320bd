package io.fairlead.platform.database;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once from the class path into a directory. */
final class PostgresBinaries {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final int OWNER_EXECUTES = 0100;

    private final Path directory;

    private PostgresBinaries(Path directory) {
        this.directory = directory;
    }

    /** Unpacks beside and renames, so that a directory that exists is whole. */
    static PostgresBinaries unpackedIn(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Path draft = directory.resolveSibling(directory.getFileName() + ".new");
            deleteTree(draft);
            Files.createDirectories(draft);
            unpack(draft);
            Files.move(draft, directory, StandardCopyOption.ATOMIC_MOVE);
        }
        return new PostgresBinaries(directory);
    }

    Path program(String name) {
        return directory.resolve("bin").resolve(name);
    }

    private static void unpack(Path into) throws IOException {
        try (InputStream archive = PostgresBinaries.class.getResourceAsStream(ARCHIVE)) {
            if (archive == null) {
                throw new IOException("There is no PostgreSQL for this machine on the class path."
                        + " Configure a database with QUARKUS_DATASOURCE_JDBC_URL.");
            }
            TarArchiveInputStream entries =
                    new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)));
            TarArchiveEntry entry;
            while ((entry = entries.getNextEntry()) != null) {
                Path target = into.resolve(entry.getName()).normalize();
                if (!target.startsWith(into)) {
                    throw new IOException("the archive leaves its directory: " + entry.getName());
                }
                unpack(entries, entry, target);
            }
        }
    }

    private static void unpack(InputStream content, TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, target);
        boolean executable = (entry.getMode() & OWNER_EXECUTES) != 0;
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> tree = Files.walk(directory)) {
            all = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
