package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A web server on the loopback interface that can do what bad servers do. A fault is chosen for
 * each request.
 */
public final class TestServer extends LoopbackServer implements ObjectServer {
    /** A fault of one response. */
    public enum Fault {
        NONE,
        /** The connection is reset instead of an answer. */
        RESET,
        /** The connection is closed in the middle of the body. */
        SHORT_BODY,
        /** No answer comes. */
        STALL,
        /** The body stops in the middle, and the connection stays open. */
        STALLED_BODY,
        STATUS_429,
        STATUS_500,
        STATUS_503,
        /** 503 with {@code Retry-After: 1}. */
        RETRY_AFTER,
        /** 503 with a wait of a day. */
        RETRY_TOO_LATE,
        /** Another range than was asked for. */
        WRONG_RANGE,
        /** All of the object, with status 200. */
        WHOLE,
        /** All of the object in chunks, without a length. */
        NO_LENGTH,
        /** A body that claims to be compressed. */
        ENCODED,
        STATUS_401,
        STATUS_403,
        STATUS_418,
        /** To the same path on the other server, or to {@code /moved/PATH} here. */
        REDIRECT
    }

    /**
     * A request.
     *
     * @param path decoded, without the first slash
     * @param headers by their names in lower case
     */
    public record Request(String path, Map<String, String> headers) {
        public String range() {
            return headers.getOrDefault("range", "");
        }
    }

    private static final class Content {
        private final byte[] bytes;
        private final String etag;

        Content(byte[] bytes, String etag) {
            this.bytes = bytes;
            this.etag = etag;
        }
    }

    private final Map<String, Content> objects = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger versions = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger underWayMost = new AtomicInteger();
    private volatile Function<Request, Fault> faults = request -> Fault.NONE;
    private volatile boolean hasEtags = true;
    private volatile boolean hasWeakEtags;
    private volatile boolean honoursIfMatch = true;
    private volatile long delayMillis;
    private volatile String redirectTo = "";

    public TestServer() throws IOException {
        start();
    }

    /** {@return the URL of a key} */
    public URI url(String key) {
        return URI.create("http://127.0.0.1:" + port() + "/" + key);
    }

    @Override
    public void put(String key, byte[] bytes) {
        objects.put(key, new Content(bytes, "\"v" + versions.incrementAndGet() + "\""));
    }

    public void remove(String key) {
        objects.remove(key);
    }

    /** Chooses the fault of each request from now on. */
    public void faults(Function<Request, Fault> newFaults) {
        faults = newFaults;
    }

    /** Has the first request for each path and range fail, and later ones succeed. */
    public void failOnce(Fault fault) {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        faults(request -> seen.add(request.path() + request.range()) ? fault : Fault.NONE);
    }

    public void withoutEtags() {
        hasEtags = false;
    }

    /** Names versions by weak ETags, which never match If-Match. */
    public void withWeakEtags() {
        hasWeakEtags = true;
    }

    public void ignoringIfMatch() {
        honoursIfMatch = false;
    }

    public void delayMillis(long millis) {
        delayMillis = millis;
    }

    public void redirectTo(URI url) {
        redirectTo = url.toString();
    }

    /** {@return all requests so far} */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public void forgetRequests() {
        requests.clear();
    }

    /** {@return the number of connections so far} */
    public int connections() {
        return connections.get();
    }

    /** {@return the most requests that were under way at once} */
    public int underWayMost() {
        return underWayMost.get();
    }

    @Override
    void serve(Socket connection) throws IOException, InterruptedException {
        connections.incrementAndGet();
        connection.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(connection.getInputStream());
        OutputStream out = connection.getOutputStream();
        boolean goesOn = true;
        while (goesOn) {
            Optional<Request> request = request(in);
            goesOn = request.isPresent() && answerCounted(connection, request.get(), out);
        }
    }

    private static Optional<Request> request(InputStream in) throws IOException {
        String line = line(in);
        if (line.isEmpty()) {
            return Optional.empty();
        }
        String path = line.split(" ")[1].substring(1).replace("+", "%2B");
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String[] parts = header.split(": ", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        return Optional.of(new Request(URLDecoder.decode(path, StandardCharsets.UTF_8), headers));
    }

    private boolean answerCounted(Socket connection, Request request, OutputStream out)
            throws IOException, InterruptedException {
        requests.add(request);
        int now = underWay.incrementAndGet();
        underWayMost.accumulateAndGet(now, Math::max);
        try {
            Thread.sleep(delayMillis);
            return answer(connection, request, out);
        } finally {
            underWay.decrementAndGet();
        }
    }

    /** Returns whether the connection can be used again. */
    private boolean answer(Socket connection, Request request, OutputStream out)
            throws IOException, InterruptedException {
        Fault fault = faults.apply(request);
        return switch (fault) {
            case RESET -> {
                connection.setSoLinger(true, 0);
                yield false;
            }
            case STALL -> {
                waitForClose(connection);
                yield false;
            }
            case STATUS_429, STATUS_500, STATUS_503, STATUS_401, STATUS_403, STATUS_418 -> {
                status(out, Integer.parseInt(fault.name().substring(7)), "");
                yield true;
            }
            case RETRY_AFTER -> {
                status(out, 503, "Retry-After: 1\r\n");
                yield true;
            }
            case RETRY_TOO_LATE -> {
                status(out, 503, "Retry-After: 86400\r\n");
                yield true;
            }
            case REDIRECT -> {
                String to = redirectTo.isEmpty() ? url("moved/").toString() : redirectTo;
                status(out, 302, "Location: " + to + request.path() + "\r\n");
                yield true;
            }
            default -> answerContent(connection, request, fault, out);
        };
    }

    private static void status(OutputStream out, int status, String headers) throws IOException {
        String body = "status " + status;
        write(
                out,
                "HTTP/1.1 "
                        + status
                        + " No\r\n"
                        + headers
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private boolean answerContent(Socket connection, Request request, Fault fault, OutputStream out)
            throws IOException, InterruptedException {
        String path = request.path().replaceFirst("^moved/", "");
        Content content = objects.get(path);
        if (content == null) {
            status(out, 404, "");
            return true;
        }
        String wanted = request.headers().getOrDefault("if-match", content.etag);
        boolean isWeakWanted = hasWeakEtags && request.headers().containsKey("if-match");
        if (honoursIfMatch && (isWeakWanted || !wanted.equals(content.etag))) {
            status(out, 412, "");
            return true;
        }
        boolean isWhole =
                request.range().isEmpty() || fault == Fault.WHOLE || fault == Fault.NO_LENGTH;
        int size = content.bytes.length;
        int[] range = isWhole ? new int[] {0, size} : range(request.range(), size);
        if (range[0] >= range[1] && !isWhole) {
            status(out, 416, "Content-Range: bytes */" + size + "\r\n");
            return true;
        }
        int shift = fault == Fault.WRONG_RANGE && range[0] > 0 ? -1 : 0;
        String headers =
                (isWhole ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n")
                        + (hasEtags
                                ? "ETag: " + (hasWeakEtags ? "W/" : "") + content.etag + "\r\n"
                                : "")
                        + (fault == Fault.ENCODED ? "Content-Encoding: gzip\r\n" : "")
                        + (isWhole
                                ? ""
                                : "Content-Range: bytes %d-%d/%d\r\n"
                                        .formatted(range[0] + shift, range[1] - 1 + shift, size));
        int count = range[1] - range[0];
        if (fault == Fault.NO_LENGTH) {
            write(out, headers + "Transfer-Encoding: chunked\r\n\r\n");
            write(out, Integer.toHexString(count) + "\r\n");
            out.write(content.bytes, range[0], count);
            write(out, count == 0 ? "\r\n" : "\r\n0\r\n\r\n");
            return true;
        }
        write(out, headers + "Content-Length: " + count + "\r\n\r\n");
        boolean isCut = fault == Fault.SHORT_BODY || fault == Fault.STALLED_BODY;
        out.write(content.bytes, range[0], isCut ? count / 2 : count);
        out.flush();
        if (fault == Fault.STALLED_BODY) {
            waitForClose(connection);
        }
        return !isCut;
    }

    /** Returns the first byte and the end of {@code bytes=A-B} or {@code bytes=-N}. */
    private static int[] range(String range, int size) {
        String[] ends = range.substring("bytes=".length()).split("-", 2);
        if (ends[0].isEmpty()) {
            return new int[] {(int) Math.max(size - Long.parseLong(ends[1]), 0), size};
        }
        long last = Math.min(Long.parseLong(ends[1]), size - 1L);
        return new int[] {Integer.parseInt(ends[0]), (int) last + 1};
    }

    private static void waitForClose(Socket connection) throws InterruptedException {
        try {
            connection.getInputStream().read();
        } catch (SocketException _) {
            // Reset by the client: closed as well.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
