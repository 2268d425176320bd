package io.fairlead.worker.engine.nvmet;

import io.fairlead.contract.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The machine around {@link FakeConfigFs}, with files as devices of 512-byte blocks. */
final class FakeMachine implements Machine {

    private final FakeWorld world;
    private String bootId = "boot-1";
    private Optional<Missing> missing = Optional.empty();
    private int lbaBytes = 512;
    private boolean hasDirectIo = true;

    FakeMachine(FakeWorld world) {
        this.world = world;
    }

    void reboot(String nextBootId) {
        bootId = nextBootId;
    }

    void lose(String code, String text) {
        missing = Optional.of(new Missing(code, text));
    }

    void findAgain() {
        missing = Optional.empty();
    }

    void loseDirectIo() {
        hasDirectIo = false;
    }

    void serveBlocksOf(int bytes) {
        lbaBytes = bytes;
    }

    @Override
    public String bootId() {
        return bootId;
    }

    @Override
    public String kernelRelease() {
        return "6.12.0-fake";
    }

    @Override
    public Optional<Missing> missing() {
        return missing;
    }

    @Override
    public Optional<String> whyNot(Transport transport) {
        String name = transport == Transport.TCP ? "tcp" : "rdma";
        return world.hasTransport(name) ? Optional.empty() : Optional.of("The module nvmet-" + name + " is not there.");
    }

    @Override
    public boolean hasAddress(String traddr) {
        return world.isLocal(InetAddress.ofLiteral(traddr));
    }

    @Override
    public int freeTcpPort(String traddr) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral(traddr), 0));
            return socket.getLocalPort();
        }
    }

    @Override
    public Device inspect(Path path) throws IOException {
        BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
        return new Device(file.size(), lbaBytes, !hasDirectIo, "file." + file.fileKey());
    }
}
