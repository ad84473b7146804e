package io.zarrengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy on the loopback interface: it opens tunnels, and passes one plain request on. It wants a
 * password.
 */
final class TestProxy extends LoopbackServer {
    /** The user and password before the host, in the variables of the tests. */
    static final String USER = "m%C3%A9:s3%40cret";

    private static final String AUTHORIZATION =
            "proxy-authorization: " + new BasicCredentials("m\u00e9", "s3@cret").header();

    private final AtomicInteger tunnels = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    TestProxy() throws IOException {
        start();
    }

    /** {@return the value of a variable that names it, with the user} */
    String url() {
        return "http://" + USER + "@127.0.0.1:" + port();
    }

    int tunnels() {
        return tunnels.get();
    }

    /** {@return the number of plain connections} */
    int plain() {
        return requests.get();
    }

    /** The first line of a connection says where all of it goes. */
    @Override
    void serve(Socket client) throws IOException, InterruptedException {
        InputStream in = client.getInputStream();
        String line = line(in);
        String[] words = line.split(" ");
        List<String> headers = new ArrayList<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            headers.add(header);
        }
        if (!headers.remove(AUTHORIZATION)) {
            client.getOutputStream().write(ascii("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"));
            return;
        }
        boolean isTunnel = words[0].equals("CONNECT");
        URI target = URI.create(isTunnel ? "tunnel://" + words[1] : words[1]);
        try (Socket server = new Socket(target.getHost(), target.getPort())) {
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
    }

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            // One of both has ended.
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
