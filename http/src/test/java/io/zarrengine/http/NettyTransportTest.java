package io.zarrengine.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.zarrengine.http.TestServer.Fault;
import io.zarrengine.zarr.objectstore.ObjectStoreContract;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections, and answers that are right or wrong in other ways than {@link TestServer}'s. */
final class NettyTransportTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private static byte[] ask(URI url) throws IOException {
        return ask(url, Duration.ofSeconds(20));
    }

    private static byte[] ask(URI url, Duration deadline) throws IOException {
        try (HttpStore store = HttpStore.builder(url).deadline(deadline).open()) {
            return store.ask("x", Map.of("q", "1")).orElseThrow();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertTrue(condition.getAsBoolean());
    }

    /** Fault: a way to say where a body ends is not understood. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 3\r\n\r\nabc",
                "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x=y\r\nbc\r\n0\r\nT: u\r\n\r\n",
                "Connection: close\r\nContent-Length: 3\r\n\r\nabc",
                "Set-Cookie: a\r\nset-cookie: b\r\nContent-Length: 3\r\n\r\nabc",
            })
    void understandsBodies(String answer) throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.always(OK + answer))) {
            assertArrayEquals("abc".getBytes(ISO_8859_1), ask(server.url()));
            assertEquals(1, server.heads().size());
        }
    }

    /** Fault: an announcement before the answer is taken for it. */
    @Test
    void passesAnnouncementsOver() throws Exception {
        String answer =
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                        + OK
                        + "Content-Length: 1\r\n\r\na";
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.always(answer))) {
            assertArrayEquals(new byte[] {'a'}, ask(server.url()));
        }
    }

    @Test
    void takesBodiesThatTheConnectionEnds() throws Exception {
        ScriptedServer.Script script =
                (_, out) -> {
                    ScriptedServer.write(out, OK + "\r\nabc");
                    return false;
                };
        try (ScriptedServer server = new ScriptedServer(script)) {
            assertArrayEquals("abc".getBytes(ISO_8859_1), ask(server.url()));
        }
    }

    /** Fault: what a server sends after the end of an answer is taken for the next answer. */
    @ParameterizedTest
    @ValueSource(strings = {OK + "Content-Length: 1\r\n\r\nz", OK + "Content-", "\r\nz", "\r\n"})
    void takesNoSurplusForAnAnswer(String surplus) throws Exception {
        ScriptedServer.Script script =
                (request, out) -> {
                    ScriptedServer.write(out, OK + "Content-Length: 1\r\n\r\n" + request + surplus);
                    return true;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = HttpStore.builder(server.url()).requestsMax(1).open()) {
            List<ObjectStoreContract.Read> reads =
                    Stream.generate(() -> new ObjectStoreContract.Read("x", 0, 1))
                            .limit(9)
                            .toList();
            store.read(reads); // Each begins where the one before ends.
            for (int i = 0; i < 9; i++) {
                assertArrayEquals(new byte[] {(byte) ('0' + i)}, reads.get(i).get().bytes());
            }
            assertEquals(9, server.heads().size());
            assertEquals(0, store.metrics().retries());
        }
    }

    /** Fault: half of a body is taken for all of it, or the reader waits for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                OK + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
                OK + "Transfer-Encoding: chunked\r\n\r\nx\r\nab",
                OK + "Content-Length: 5\r\n\r\nab",
                OK + "Content-Length: x\r\n\r\nab",
                "220 ready\r\n\r\n"
            })
    void refusesWhatIsNoAnswer(String answer) throws Exception {
        ScriptedServer.Script script =
                (_, out) -> {
                    ScriptedServer.write(out, answer);
                    return false;
                };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Duration deadline = Duration.ofMillis(300);
            var e = assertThrows(IOException.class, () -> ask(server.url(), deadline));
            assertTrue(e.getMessage().matches(".* \\(GET, \\d+ (try|tries) in .*"), e::getMessage);
        }
    }

    /** Fault: without a name, some servers refuse a request; or the caller's name is lost. */
    @Test
    void saysWhoAsks() throws Exception {
        String answer = OK + "Content-Length: 0\r\n\r\n";
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.always(answer))) {
            ask(server.url());
            try (HttpStore store =
                    HttpStore.builder(server.url()).header("user-agent", "me").open()) {
                store.ask("", Map.of("a", "b"));
            }
            String host = "\nHost: 127.0.0.1:" + server.port() + "\n";
            for (String head : server.heads()) {
                assertTrue(
                        head.toLowerCase(Locale.ROOT).contains(host.toLowerCase(Locale.ROOT)),
                        head);
            }
            String first = server.heads().get(0);
            assertTrue(first.startsWith("GET /x?q=1 HTTP/1.1\n"), first);
            assertTrue(first.contains("user-agent: zarr-engine\n"), first);
            String second = server.heads().get(1);
            assertTrue(second.startsWith("GET /?a=b HTTP/1.1\n"), second);
            assertTrue(second.contains("user-agent: me\n"), second);
            assertFalse(second.contains("zarr-engine"), second);
        }
    }

    /** Fault: a proxy that wants a password looks like a server that is down. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void saysThatAProxyAsksForCredentials(String scheme) throws Exception {
        String answer = "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno";
        try (ScriptedServer proxy = new ScriptedServer(ScriptedServer.always(answer));
                HttpStore store =
                        HttpStore.builder(URI.create(scheme + "://host.invalid:444/a"))
                                .proxy(
                                        ProxySelector.of(
                                                InetSocketAddress.createUnresolved(
                                                        "127.0.0.1", proxy.port())))
                                .open()) {
            IOException e = assertThrows(IOException.class, () -> store.ask("x", Map.of()));
            assertTrue(e.getMessage().startsWith("status 407"), e::getMessage);
            String expected =
                    scheme.equals("http")
                            ? "GET http://host.invalid:444/a/x? HTTP/1.1\n"
                            : "CONNECT host.invalid:444 HTTP/1.1\n";
            String head = proxy.heads().getFirst();
            assertTrue(head.startsWith(expected), head);
        }
    }

    /** Fault: a proxy that refuses for good is asked until the deadline. */
    @ParameterizedTest
    @CsvSource({"502, 5", "403, 1"})
    void saysThatAProxyOpensNoTunnel(int status, int tries) throws Exception {
        String answer = "HTTP/1.1 " + status + " No\r\nContent-Length: 0\r\n\r\n";
        try (ScriptedServer proxy = new ScriptedServer(ScriptedServer.always(answer));
                HttpStore store =
                        HttpStore.builder(URI.create("https://host.invalid/"))
                                .proxy(
                                        ProxySelector.of(
                                                new InetSocketAddress(
                                                        InetAddress.getLoopbackAddress(),
                                                        proxy.port())))
                                .open()) {
            IOException e = assertThrows(IOException.class, () -> store.ask("x", Map.of()));
            assertTrue(e.getMessage().contains("no tunnel: status " + status), e::getMessage);
            assertEquals(tries, proxy.heads().size());
        }
    }

    /** Fault: a connection that the server had closed counts as a failed try. */
    @Test
    void replacesConnectionsThatTheServerClosed() throws Exception {
        try (TestServer server = new TestServer();
                HttpStore store = HttpStore.builder(server.url("")).open()) {
            server.put("x?", new byte[] {1});
            store.ask("x", Map.of());
            int before = server.requests().size();
            server.faults(_ -> server.requests().size() == before + 1 ? Fault.RESET : Fault.NONE);
            assertArrayEquals(new byte[] {1}, store.ask("x", Map.of()).orElseThrow());
            assertEquals(0, store.metrics().retries());
            assertEquals(2, server.connections());
        }
    }

    /** A receiver that keeps the body. */
    private static class Kept implements Receiver {
        private final CompletableFuture<Integer> ended = new CompletableFuture<>();
        private int count;

        @Override
        public void begin(int status, HttpHeaders headers) {
            assertEquals(200, status);
        }

        @Override
        public Optional<ByteBuffer> place(long most) {
            return Optional.empty();
        }

        @Override
        public int receive(Receive receive) {
            throw new AssertionError();
        }

        @Override
        public boolean take(ByteBuffer part) {
            count += part.remaining();
            return true;
        }

        @Override
        public void end() {
            ended.complete(count);
        }

        @Override
        public void fail(Throwable error) {
            ended.completeExceptionally(error);
        }
    }

    private static NettyTransport newTransport(Duration idle) {
        HttpOptions options =
                new HttpOptions(
                        URI.create("http://host/"),
                        Map.of(),
                        Optional.empty(),
                        _ -> {},
                        64,
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(9),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        HttpClient.Version.HTTP_1_1,
                        Optional.empty(),
                        Optional.empty());
        return new NettyTransport(options, Duration.ofSeconds(9), idle);
    }

    /** Fault: idle connections stay open, or one that is used is closed. */
    @Test
    void closesIdleConnections() throws Exception {
        try (TestServer server = new TestServer();
                NettyTransport transport = newTransport(Duration.ofMillis(50))) {
            server.put("x", new byte[10]);
            HttpRequest request = HttpRequest.newBuilder(server.url("x")).build();
            for (int delay : new int[] {0, 200}) {
                server.delayMillis(delay);
                Kept kept = new Kept();
                var _ = transport.send(request, kept);
                assertEquals(10, kept.ended.get(9, TimeUnit.SECONDS));
                await(() -> server.openConnections() == 0);
            }
            assertEquals(2, server.connections());
        }
    }

    /** Fault: an event loop that ends while it runs its tasks leaves its connections open. */
    @Test
    void closesConnectionsWhenATaskOfTheirLoopClosesIt() throws Exception {
        try (TestServer server = new TestServer();
                NettyTransport transport = newTransport(Duration.ofSeconds(9))) {
            server.put("x", new byte[10]);
            CompletableFuture<EventExecutor> loop = new CompletableFuture<>();
            Kept kept =
                    new Kept() {
                        @Override
                        public void end() {
                            loop.complete(ThreadExecutorMap.currentExecutor());
                            super.end();
                        }
                    };
            var _ = transport.send(HttpRequest.newBuilder(server.url("x")).build(), kept);
            loop.get(9, TimeUnit.SECONDS).execute(transport::close);
            await(() -> server.openConnections() == 0);
        }
    }

    /** Fault: bytes are lost, doubled or written beside the target, at the ends of parts. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16_000, 16_384, 17_000, 1_000_000, 5_000_001})
    void receivesIntoNativeMemory(int bytes) throws Exception {
        byte[] object = new byte[bytes + 100];
        new Random(11).nextBytes(object);
        try (TestServer server = new TestServer();
                HttpStore store = HttpStore.builder(server.url("")).open();
                Arena arena = Arena.ofShared()) {
            server.put("x", object);
            for (Fault fault :
                    List.of(Fault.NONE, Fault.SHORT_BODY, Fault.WHOLE, Fault.NO_LENGTH)) {
                MemorySegment guarded = arena.allocate(64L + bytes + 64).fill((byte) 0x5a);
                NativeRead read = new NativeRead(guarded.asSlice(64, bytes), bytes);
                server.failOnce(fault);
                store.read(List.of(read));
                assertEquals(bytes, read.ended().get(20, TimeUnit.SECONDS));
                byte[] all = guarded.toArray(JAVA_BYTE);
                assertArrayEquals(
                        Arrays.copyOf(object, bytes), Arrays.copyOfRange(all, 64, 64 + bytes));
                for (int i = 0; i < 64; i++) {
                    assertEquals(0x5a, all[i]);
                    assertEquals(0x5a, all[64 + bytes + i]);
                }
            }
        }
    }

    /** Fault: memory is written to after its read was cancelled, when it may be another's. */
    @Test
    void writesNothingAfterTheEnd() throws Exception {
        CountDownLatch hasEnded = new CountDownLatch(1);
        byte[] half = new byte[50_000];
        ScriptedServer.Script script =
                (_, out) -> {
                    String range = "Content-Range: bytes 0-99999/100000\r\n";
                    String head =
                            "HTTP/1.1 206 Part\r\n" + range + "Content-Length: 100000\r\n\r\n";
                    ScriptedServer.write(out, head);
                    out.write(half);
                    out.flush();
                    hasEnded.await();
                    out.write(half);
                    return true;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = HttpStore.builder(server.url()).open();
                Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(100_000).fill((byte) 1);
            NativeRead read = new NativeRead(memory, 100_000);
            store.read(List.of(read));
            await(() -> memory.get(JAVA_BYTE, half.length - 1L) == 0);
            read.cancel();
            assertThrows(CancellationException.class, () -> read.ended().get(20, TimeUnit.SECONDS));
            memory.fill((byte) 1);
            hasEnded.countDown();
            await(() -> server.openConnections() == 0);
            for (int i = 0; i < 100_000; i++) {
                assertEquals(1, memory.get(JAVA_BYTE, i));
            }
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("zarr-engine-http"))
                .count();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Fault: a store that was closed leaves threads, connections or memory behind. */
    @Test
    void leavesNothingBehind() throws Exception {
        byte[] object = new byte[3_000_000];
        try (TestServer server = new TestServer()) {
            server.put("x", object);
            await(() -> threads() == 0); // Those of other tests.
            long before = directBytes();
            for (int i = 0; i < 20; i++) {
                try (HttpStore store = HttpStore.builder(server.url("")).open()) {
                    for (int j = 0; j < 8; j++) {
                        var read = new ObjectStoreContract.Read("x", j, 2_000_000);
                        store.read(List.of(read));
                        assertEquals(2_000_000, read.get().bytes().length);
                    }
                    assertTrue(directBytes() - before < 1 << 20, "while it is open");
                }
            }
            await(() -> threads() == 0);
            await(() -> server.openConnections() == 0);
            assertTrue(directBytes() - before < 200_000, () -> directBytes() - before + " bytes");
        }
    }
}
