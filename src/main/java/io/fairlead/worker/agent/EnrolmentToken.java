package io.fairlead.worker.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where the one-time token comes from. A file is read anew at each attempt: it may be written after the worker has started. */
sealed interface EnrolmentToken {

    /** The token, or empty while there is none. */
    Optional<String> read();

    /** Given on the command line. */
    record Given(String text) implements EnrolmentToken {
        @Override
        public Optional<String> read() {
            return Optional.of(text);
        }

        @Override
        public String toString() {
            return "Given[hidden]";
        }
    }

    /** In a file. */
    record InFile(Path file) implements EnrolmentToken {
        @Override
        public Optional<String> read() {
            try {
                String text = Files.readString(file).strip();
                return text.isEmpty() ? Optional.empty() : Optional.of(text);
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /** The head is enrolled already, or cannot be. */
    record None() implements EnrolmentToken {
        @Override
        public Optional<String> read() {
            return Optional.empty();
        }
    }
}
