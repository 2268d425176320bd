package io.fairlead.worker.inventory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the kernel's files below one root. What is not there, or vanishes while it is read, is empty: drives are pulled at any time. */
record Tree(Path root) {

    Path at(String path) {
        return root.resolve(path);
    }

    /** The text of an attribute without surrounding white space, or empty when there is none or nothing in it. */
    Optional<String> text(Path file) {
        try {
            String text = Files.readString(file).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(text);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    long number(Path file) {
        try {
            return text(file).map(Long::parseLong).orElse(0L);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    List<String> lines(String path) {
        try {
            return Files.readAllLines(at(path));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The names in a directory, sorted. */
    List<String> names(Path directory) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException e) {
            return List.copyOf(names);
        }
        names.sort(null);
        return names;
    }
}
