package io.fairlead.worker.engine.embedded.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** An address that the transport listens on. Thread-safe. */
public final class TcpListener {

    private final TcpTransport transport;
    private final ServerSocketChannel server;
    private final InetSocketAddress address;
    private final QueueOpener opener;
    private volatile boolean closed;

    TcpListener(TcpTransport transport, ServerSocketChannel server, QueueOpener opener) throws IOException {
        this.transport = transport;
        this.server = server;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.opener = opener;
    }

    /** What is really bound. */
    public InetSocketAddress address() {
        return address;
    }

    /** Stops listening and closes the connections that came in here; returns when that is done. */
    public void close() {
        if (!closed) {
            closed = true;
            transport.closeListener(this);
        }
    }

    /** Whether hosts can connect. */
    public boolean isListening() {
        return server.isOpen();
    }

    boolean isClosed() {
        return closed;
    }

    ServerSocketChannel server() {
        return server;
    }

    QueueOpener opener() {
        return opener;
    }
}
