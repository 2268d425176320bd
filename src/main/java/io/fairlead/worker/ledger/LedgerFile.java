package io.fairlead.worker.ledger;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The files of the ledger: {@code ledger.json}, and beside it {@code ledger.previous.json}. Each begins with one line, {@code
 * fairlead-ledger <sha256 of the rest>}; the rest is JSON.
 */
final class LedgerFile {

    static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final String MAGIC = "fairlead-ledger ";
    private static final int DIGEST_CHARACTERS = 64;
    private static final int HEADER_BYTES = MAGIC.length() + DIGEST_CHARACTERS + 1;
    private static final ObjectMapper MAPPER = ContractJson.mapper();

    private final Path directory;
    private final Path current;
    private final Path previous;
    private final Path partial;

    /**
     * What was found on disk.
     *
     * @param problems what was damaged, in words for a person
     */
    record Loaded(LedgerContent content, List<Reason> problems) {}

    LedgerFile(Path directory) {
        this.directory = directory;
        this.current = directory.resolve("ledger.json");
        this.previous = directory.resolve("ledger.previous.json");
        this.partial = directory.resolve("ledger.json.partial");
    }

    Loaded load() throws IOException {
        List<Reason> problems = new ArrayList<>();
        for (Path candidate : List.of(current, previous)) {
            if (!Files.exists(candidate)) {
                continue;
            }
            try {
                return new Loaded(read(candidate), problems);
            } catch (IOException e) {
                Path aside = candidate.resolveSibling(candidate.getFileName() + ".damaged");
                Files.move(candidate, aside, StandardCopyOption.REPLACE_EXISTING);
                problems.add(new Reason(
                        "ledger.damaged",
                        candidate + " is damaged (" + e.getMessage() + ") and was put aside as " + aside.getFileName()
                                + "; what was kept before it is used."));
            }
        }
        if (!problems.isEmpty()) {
            problems.add(new Reason(
                    "ledger.lost",
                    "No sound ledger is left. Nothing is changed in the engine until a desired state arrives."));
        }
        return new Loaded(LedgerContent.EMPTY, problems);
    }

    private static LedgerContent read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length <= HEADER_BYTES || bytes[HEADER_BYTES - 1] != '\n') {
            throw new IOException("it is cut short");
        }
        String header = new String(bytes, 0, HEADER_BYTES - 1, StandardCharsets.US_ASCII);
        byte[] body = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length);
        if (!header.equals(MAGIC + digest(body))) {
            throw new IOException("its check sum is wrong");
        }
        LedgerContent content = MAPPER.readValue(body, LedgerContent.class);
        if (content.schema() != LedgerContent.SCHEMA) {
            throw new IOException("schema " + content.schema() + " is not known to this version");
        }
        return content;
    }

    /** Returns when the new content would survive a power cut; after an exception the old one is still there. */
    void replace(LedgerContent content) throws IOException {
        byte[] body = MAPPER.writeValueAsBytes(content);
        byte[] header = (MAGIC + digest(body) + "\n").getBytes(StandardCharsets.US_ASCII);
        Files.deleteIfExists(partial);
        try (FileChannel channel = FileChannel.open(
                partial, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY)) {
            ByteBuffer[] parts = {ByteBuffer.wrap(header), ByteBuffer.wrap(body)};
            while (parts[1].hasRemaining()) {
                channel.write(parts);
            }
            channel.force(true);
        }
        if (Files.exists(current)) {
            // A second name for the current file: there is no moment without one.
            Files.deleteIfExists(previous);
            Files.createLink(previous, current);
        }
        Files.move(partial, current, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static String digest(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
