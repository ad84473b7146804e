package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy on the loopback interface: it opens tunnels, and passes one plain request on. */
final class TestProxy implements AutoCloseable {
    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tunnels = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    TestProxy() throws IOException {
        socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    int tunnels() {
        return tunnels.get();
    }

    /** {@return the number of plain connections} */
    int plain() {
        return requests.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                open.add(client);
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    /** The first line of a connection says where all of it goes. */
    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            String line = line(in);
            String[] words = line.split(" ");
            boolean isTunnel = words[0].equals("CONNECT");
            URI target = URI.create(isTunnel ? "tunnel://" + words[1] : words[1]);
            try (Socket server = new Socket(target.getHost(), target.getPort())) {
                open.add(server);
                if (isTunnel) {
                    tunnels.incrementAndGet();
                    while (!line(in).isEmpty()) {
                        // The head is not passed on.
                    }
                    client.getOutputStream().write(ascii("HTTP/1.1 200 OK\r\n\r\n"));
                } else {
                    requests.incrementAndGet();
                    String first = words[0] + " " + target.getRawPath() + " " + words[2];
                    server.getOutputStream().write(ascii(first + "\r\n"));
                }
                Thread back = Thread.ofVirtual().start(() -> pass(server, client));
                in.transferTo(server.getOutputStream());
                server.shutdownOutput();
                back.join();
            }
        } catch (IOException | InterruptedException _) {
            // One of both has ended.
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            // One of both has ended.
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
