package io.zarrengine.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes a server on the loopback interface a distant one: its bytes arrive later, at an unchanged
 * bandwidth. Threads: two for each direction of a connection.
 */
final class DelayProxy implements AutoCloseable {
    private static final int PART_BYTES = 64 << 10;
    private static final long RETRY_NANOS = 10_000_000;

    /** Bytes that are sent at a time; none at the end of the connection. */
    private static final class Part {
        private final byte[] bytes;
        private final long dueNanos;

        Part(byte[] bytes, long dueNanos) {
            this.bytes = bytes;
            this.dueNanos = dueNanos;
        }
    }

    private final ServerSocket socket;
    private final int serverPort;
    private final long delayNanos;

    /** Listens at a port for connections to another one. */
    DelayProxy(int port, int serverPort, long delayMillis) throws IOException {
        this.socket = new ServerSocket(port, 1024, InetAddress.getLoopbackAddress());
        this.serverPort = serverPort;
        this.delayNanos = delayMillis * 1_000_000;
        Thread.ofVirtual().start(this::accept);
    }

    /** A client that comes when the server, or this process, has no room for it is sent away. */
    private void accept() {
        while (!socket.isClosed()) {
            try {
                connect(socket.accept());
            } catch (IOException e) { // Closed, or no room to accept it.
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            relay(client, server, 0);
            relay(server, client, delayNanos);
        } catch (IOException e) {
            client.close();
        }
    }

    private static void relay(Socket from, Socket to, long delayNanos) {
        LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> receive(from, parts, delayNanos));
        Thread.ofVirtual().start(() -> send(parts, to));
    }

    private static void receive(Socket from, LinkedBlockingQueue<Part> parts, long delayNanos) {
        byte[] buffer = new byte[PART_BYTES];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                parts.add(new Part(Arrays.copyOf(buffer, read), System.nanoTime() + delayNanos));
            }
        } catch (IOException e) {
            // The connection is closed.
        }
        parts.add(new Part(new byte[0], 0));
    }

    private static void send(LinkedBlockingQueue<Part> parts, Socket to) {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Part part = parts.take(); part.bytes.length > 0; part = parts.take()) {
                long left = part.dueNanos - System.nanoTime();
                if (left > 0) {
                    Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
                }
                out.write(part.bytes);
            }
        } catch (IOException | InterruptedException e) {
            // The connection is closed.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
