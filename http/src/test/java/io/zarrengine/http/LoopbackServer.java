package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server on the loopback interface, with a virtual thread for each connection. Closing it closes
 * them.
 */
abstract class LoopbackServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private Thread acceptor;

    LoopbackServer() throws IOException {
        socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    }

    /** Begins to accept connections: a subclass calls this at the end of its constructor. */
    final void start() {
        acceptor = Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                open.add(connection);
                Thread.ofVirtual().start(() -> serveOpen(connection));
            }
        } catch (IOException _) {
            // The server was closed.
        }
    }

    private void serveOpen(Socket connection) {
        try (connection) {
            serve(connection);
        } catch (IOException _) {
            // The client closed the connection.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(connection);
        }
    }

    /** Serves a connection, which is closed afterwards. */
    abstract void serve(Socket connection) throws IOException, InterruptedException;

    final int port() {
        return socket.getLocalPort();
    }

    /** {@return a line without its end; empty also at the end of the stream} */
    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** {@return the number of connections that are open now} */
    public final int openConnections() {
        return open.size();
    }

    /** Waits for the thread that accepts: until it runs, the port takes connections. */
    @Override
    public void close() throws IOException {
        socket.close();
        try {
            acceptor.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (Socket each : open) {
            each.close();
        }
    }
}
