package io.zarrengine.bench.http;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Catches a client that would be measured although it reads something else. */
class ClientTest {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
    private static final int RANGE_BYTES = 100_000; // several receives

    private final byte[] file = new byte[10 * RANGE_BYTES];
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private int shift; // by how many bytes its answers are wrong

    @BeforeEach
    void start() throws IOException {
        new Random(5).nextBytes(file);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/file", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Matcher range = RANGE.matcher(exchange.getRequestHeaders().getFirst("Range"));
            assertTrue(range.matches());
            int first = Integer.parseInt(range.group(1));
            int length = Integer.parseInt(range.group(2)) + 1 - first;
            exchange.sendResponseHeaders(206, length);
            int from = (first + shift) % (file.length - length + 1);
            exchange.getResponseBody().write(file, from, length);
        }
    }

    private void check(Client client) throws Exception {
        URI url =
                new URI(
                        "http",
                        null,
                        server.getAddress().getAddress().getHostAddress(),
                        server.getAddress().getPort(),
                        "/file",
                        null,
                        null);
        Server asked = Server.plain(url);
        try (Arena arena = Arena.ofShared();
                RangeClient open = client.open(asked)) {
            Load load = new Load(MemorySegment.ofArray(file), RANGE_BYTES, arena);
            load.check(open);
            load.check(open); // over connections that were kept
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NETTY_BORING")
    void readsTheRangesThatItIsAskedFor(Client client) throws Exception {
        check(client);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NETTY_BORING")
    void otherBytesAreFound(Client client) {
        shift = 1;
        assertThrows(IOException.class, () -> check(client));
    }
}
