package io.zarrengine.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A web server on the loopback interface that sends whole files, whatever the range. The server of
 * the http tests is not visible on the module path, on which these tests run.
 */
final class FolderServer implements AutoCloseable {
    private final Path folder;
    private final ServerSocket socket;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int failing = -1;

    FolderServer(Path folder) throws IOException {
        this.folder = folder;
        socket = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url(String path) {
        return "http://127.0.0.1:" + socket.getLocalPort() + "/" + path;
    }

    /** {@return the number of requests so far} */
    int requests() {
        return requests.get();
    }

    /** The next request will get status 503. */
    void failNext() {
        failing = requests.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            var in =
                    new BufferedReader(
                            new InputStreamReader(connection.getInputStream(), US_ASCII));
            String line = in.readLine();
            while (!in.readLine().isEmpty()) {
                // The other headers do not matter.
            }
            Path file = folder.resolve(line.split(" ")[1].substring(1));
            boolean fails = requests.getAndIncrement() == failing;
            String status = fails ? "503 No" : Files.isRegularFile(file) ? "200 OK" : "404 No";
            byte[] body = status.startsWith("200") ? Files.readAllBytes(file) : new byte[0];
            String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length;
            connection
                    .getOutputStream()
                    .write((head + "\r\nConnection: close\r\n\r\n").getBytes(US_ASCII));
            connection.getOutputStream().write(body);
        } catch (IOException _) {
            // The client closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
