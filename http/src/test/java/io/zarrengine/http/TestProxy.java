package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy on the loopback interface: it opens tunnels, and passes one plain request on. It wants a
 * password.
 */
final class TestProxy implements AutoCloseable {
    /** What the variables of the tests have before the host. */
    static final String USER = "m%C3%A9:s3%40cret";

    private static final String AUTHORIZATION =
            "proxy-authorization: " + new BasicCredentials("m\u00e9", "s3@cret").header();

    private final ServerSocket socket;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger tunnels = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    TestProxy() throws IOException {
        socket = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** {@return the value of a variable that names it, with the user} */
    String url() {
        return "http://" + USER + "@127.0.0.1:" + socket.getLocalPort();
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
            List<String> headers = new ArrayList<>();
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                headers.add(header);
            }
            if (!headers.remove(AUTHORIZATION)) {
                client.getOutputStream()
                        .write(ascii("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"));
                return;
            }
            boolean isTunnel = words[0].equals("CONNECT");
            URI target = URI.create(isTunnel ? "tunnel://" + words[1] : words[1]);
            try (Socket server = new Socket(target.getHost(), target.getPort())) {
                open.add(server);
                if (isTunnel) {
                    tunnels.incrementAndGet();
                    client.getOutputStream().write(ascii("HTTP/1.1 200 OK\r\n\r\n"));
                } else {
                    requests.incrementAndGet();
                    String first = words[0] + " " + target.getRawPath() + " " + words[2];
                    String rest = String.join("\r\n", headers);
                    server.getOutputStream().write(ascii(first + "\r\n" + rest + "\r\n\r\n"));
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
