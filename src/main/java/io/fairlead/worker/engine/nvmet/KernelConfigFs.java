package io.fairlead.worker.engine.nvmet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The tree under a directory, which is the kernel's where configfs is mounted. */
final class KernelConfigFs implements ConfigFs {

    private final Path root;

    KernelConfigFs(Path root) {
        this.root = root.toAbsolutePath();
    }

    @Override
    public boolean isDirectory(String path) {
        return Files.isDirectory(at(path));
    }

    @Override
    public boolean isAttribute(String path) {
        return Files.isRegularFile(at(path));
    }

    @Override
    public List<String> list(String path) throws ConfigFsException {
        try (Stream<Path> entries = Files.list(at(path))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw refused("list", path, e);
        }
    }

    @Override
    public String read(String path) throws ConfigFsException {
        try {
            String text = Files.readString(at(path));
            return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        } catch (IOException e) {
            throw refused("read", path, e);
        }
    }

    @Override
    public void write(String path, String value) throws ConfigFsException {
        // One system call: configfs takes each write as the whole value.
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
        int length = bytes.remaining();
        try (FileChannel attribute = FileChannel.open(at(path), StandardOpenOption.WRITE)) {
            int written = attribute.write(bytes);
            if (written != length) {
                throw new IOException("only " + written + " of " + length + " bytes were taken");
            }
        } catch (IOException e) {
            throw refused("write", path, e);
        }
    }

    @Override
    public void makeDirectory(String path) throws ConfigFsException {
        try {
            Files.createDirectory(at(path));
        } catch (IOException e) {
            throw refused("mkdir", path, e);
        }
    }

    @Override
    public void removeDirectory(String path) throws ConfigFsException {
        try {
            Files.delete(at(path));
        } catch (IOException e) {
            throw refused("rmdir", path, e);
        }
    }

    @Override
    public void link(String target, String link) throws ConfigFsException {
        try {
            Files.createSymbolicLink(at(link), at(target));
        } catch (IOException e) {
            throw refused("link", link, e);
        }
    }

    @Override
    public void unlink(String link) throws ConfigFsException {
        try {
            Files.delete(at(link));
        } catch (IOException e) {
            throw refused("unlink", link, e);
        }
    }

    private Path at(String path) {
        return root.resolve(path);
    }

    private static ConfigFsException refused(String operation, String path, IOException cause) {
        return new ConfigFsException(operation, path, Errno.of(cause), cause);
    }
}
