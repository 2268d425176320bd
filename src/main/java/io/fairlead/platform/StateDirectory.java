package io.fairlead.platform;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The directory in which this management plane keeps its own secrets. Files are readable by their owner only and replaced atomically. */
@Singleton
public class StateDirectory {

    private final Path directory;

    @Inject
    public StateDirectory(@ConfigProperty(name = "fairlead.state-dir") Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    public Path path() {
        return directory;
    }

    /** The text of the file without surrounding white space; empty when there is no such file. */
    public Optional<String> read(String name) {
        try {
            return Optional.of(Files.readString(directory.resolve(name)).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write(String name, String text) {
        try {
            Files.createDirectories(directory);
            Path draft = Files.createTempFile(
                    directory,
                    name,
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(draft, text + "\n");
            Files.move(
                    draft,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void delete(String name) {
        try {
            Files.deleteIfExists(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
