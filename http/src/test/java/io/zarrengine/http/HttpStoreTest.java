package io.zarrengine.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.http.TestServer.Fault;
import io.zarrengine.http.TestServer.Request;
import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpStoreTest extends FaultContract<HttpStore> {
    private static final String SECRET = "s3cret";

    @Override
    protected HttpStore openStore(Consumer<HttpStoreBuilder> options) {
        HttpStoreBuilder builder = builder();
        options.accept(builder);
        return builder.open();
    }

    private HttpStoreBuilder builder() {
        return HttpStore.builder(server.url(""))
                .stallTimeout(Duration.ofMillis(300))
                .deadline(Duration.ofSeconds(15));
    }

    private void reopen(HttpStoreBuilder options) {
        reopen(options.open());
    }

    /** Fault: a body without an end fills the heap, or is received for ever. */
    @ParameterizedTest
    @ValueSource(longs = {10, ObjectRead.WHOLE})
    void refusesAnEndlessBody(long length) throws Exception {
        byte[] chunk = new byte[1 << 20];
        try (var endless =
                new ScriptedServer((_, out) -> {
                    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
                    ScriptedServer.write(out, head);
                    while (true) { // The client closes the connection.
                        ScriptedServer.write(out, "100000\r\n");
                        out.write(chunk);
                        ScriptedServer.write(out, "\r\n");
                    }
                })) {
            reopen(HttpStore.builder(endless.url()));
            IOException e = assertThrows(IOException.class, () -> start(5, length).get());
            String expected = "the server tells no length, and sends more than 256 MiB";
            assertTrue(e.getMessage().startsWith(expected), e::getMessage);
            assertEquals(1, endless.heads().size());
        }
    }

    @Test
    void takesForbiddenForMissingIfTold() throws Exception {
        reopen(builder().hidesMissing(true));
        server.faults(request -> Fault.STATUS_403);
        assertEquals(0, start(0, 10).get().bytes().length);
    }

    /** Fault: who cannot call Java cannot do what the message says. */
    @Test
    void takesForbiddenForMissingIfTheEnvironmentTells() throws Exception {
        server.faults(request -> Fault.STATUS_403);
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(
                e.getMessage()
                        .contains(
                                "ZARR_ENGINE_HIDES_MISSING=true, or HttpStoreBuilder.hidesMissing"),
                e::getMessage);
        var environment = Map.of("ZARR_ENGINE_HIDES_MISSING", "true");
        reopen(new HttpStoreBuilder(server.url(""), environment));
        assertEquals(0, start(0, 10).get().bytes().length);
        reopen(new HttpStoreBuilder(server.url(""), environment).hidesMissing(false));
        assertThrows(IOException.class, () -> start(0, 10).get());
    }

    /** Fault: the wait that the server asks for is ignored. */
    @Test
    void waitsAsLongAsTheServerAsks() throws Exception {
        server.failOnce(Fault.RETRY_AFTER);
        long begin = System.nanoTime();
        start(0, 10).get();
        assertTrue(System.nanoTime() - begin >= 1_000_000_000L);
    }

    @Test
    void boundsTheRequestsUnderWay() throws Exception {
        reopen(builder().requestsMax(7));
        server.delayMillis(20);
        List<Read> reads = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            reads.add(new Read("x", i, 10));
        }
        store.read(reads);
        for (Read read : reads) {
            read.get();
        }
        assertEquals(7, server.underWayMost());
        assertTrue(server.connections() <= 7, "connections were kept alive");
    }

    @Test
    void followsRedirects() throws Exception {
        server.faults(r -> r.path().startsWith("moved/") ? Fault.NONE : Fault.REDIRECT);
        assertArrayEquals(Arrays.copyOfRange(OBJECT, 5, 15), start(5, 10).get().bytes());
        server.faults(request -> Fault.REDIRECT);
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(e.getMessage().contains("redirected more than 5 times"), e::getMessage);
    }

    /** Fault: another host that a server redirects to gets the password. */
    @Test
    void sendsSecretsOnlyToItsOwnHost() throws Exception {
        try (TestServer other = new TestServer()) {
            other.put("x", OBJECT);
            reopen(builder().bearer(SECRET).header("X-Key", SECRET));
            server.redirectTo(other.url(""));
            server.faults(request -> Fault.REDIRECT);
            start(5, 10).get();
            assertEquals("Bearer " + SECRET, header(server, "authorization"));
            assertEquals(SECRET, header(server, "x-key"));
            Request redirected = other.requests().getFirst();
            assertFalse(redirected.headers().toString().contains(SECRET));
            assertEquals("bytes=5-14", redirected.range());
        }
    }

    private static String header(TestServer server, String name) {
        return server.requests().getFirst().headers().get(name);
    }

    /** Fault: a password is in a message, or in the name of the store. */
    @Test
    void tellsNoSecrets() {
        String url = server.url("").toString().replace("//", "//me:" + SECRET + "@");
        reopen(HttpStore.builder(URI.create(url)));
        server.faults(request -> Fault.STATUS_401);
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertFalse((e + store.toString()).contains(SECRET), e::getMessage);
        String sent = "Basic " + encode("me:" + SECRET);
        assertEquals(sent, header(server, "authorization"));
        assertFalse((e + store.name()).contains(SECRET), e::getMessage);
        assertFalse((e + store.name()).contains(encode("me:" + SECRET)), e::getMessage);
    }

    /** Fault: answers that a caller's header changes are taken for faults, for a minute. */
    @ParameterizedTest
    @ValueSource(strings = {"Range", "if-match", "HOST", "Content-Length", "Accept-Encoding", "TE"})
    void refusesHeadersOfItsOwn(String name) {
        HttpStoreBuilder builder = builder();
        var e = assertThrows(IllegalArgumentException.class, () -> builder.header(name, SECRET));
        assertTrue(e.getMessage().startsWith("the store sets the header " + name), e::getMessage);
        assertFalse(e.getMessage().contains(SECRET), e::getMessage);
    }

    /** Fault: what cannot be sent fails each read, or a message repeats a secret. */
    @Test
    void refusesHeadersThatCannotBeSent() {
        HttpStoreBuilder builder = builder();
        for (String name : List.of("X", "X: " + SECRET)) {
            var e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> builder.header(name, SECRET + "\n"));
            assertTrue(e.getMessage().startsWith("the header X cannot be sent"), e::getMessage);
            assertFalse(e.getMessage().contains(SECRET), e::getMessage);
        }
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** Fault: a repeated request has the signature of the first one, or another host gets one. */
    @Test
    void signsEachRequestToItsOwnHost() throws Exception {
        try (TestServer other = new TestServer()) {
            other.put("x", OBJECT);
            AtomicInteger count = new AtomicInteger();
            RequestSigner signer =
                    (url, headers) ->
                            Map.of("X-Signed", count.incrementAndGet() + headers.get("Range"));
            reopen(builder().signer(signer));
            server.failOnce(Fault.STATUS_503);
            start(5, 10).get();
            assertEquals(
                    List.of("1bytes=5-14", "2bytes=5-14"),
                    server.requests().stream().map(r -> r.headers().get("x-signed")).toList());
            server.redirectTo(other.url(""));
            server.faults(request -> Fault.REDIRECT);
            start(5, 10).get();
            assertFalse(other.requests().getFirst().headers().containsKey("x-signed"));
        }
    }

    /** Fault: the reader waits for ever, or the request is sent without a signature. */
    @Test
    void failsIfASignerDoes() {
        List<RequestSigner> signers =
                List.of(
                        (url, headers) -> {
                            throw new IOException("no token");
                        },
                        (url, headers) -> {
                            throw new NoClassDefFoundError("no token");
                        },
                        (url, headers) -> Map.of("X", "no token\n"));
        for (RequestSigner signer : signers) {
            reopen(builder().signer(signer));
            var e = assertThrows(IOException.class, () -> start(5, 10).get());
            assertTrue(e.getMessage().matches("no token .*|the header X .*"), e::getMessage);
        }
        assertEquals(List.of(), server.requests());
    }

    /** Fault: the query of the base URL is lost, or a message repeats it. */
    @Test
    void sendsTheQueryOfItsUrl() throws Exception {
        reopen(HttpStore.builder(server.url("a?sig=" + SECRET + "%2B")));
        server.put("a/b c?sig=" + SECRET + "+", OBJECT);
        Read read = new Read("b c", 0, 10);
        store.read(List.of(read));
        assertEquals(10, read.get().bytes().length);
        server.put("a?sig=" + SECRET + "+&x=1 2/&", new byte[] {1});
        assertArrayEquals(new byte[] {1}, store.ask("", Map.of("x", "1 2/&")).orElseThrow());
        server.faults(request -> Fault.STATUS_403);
        var e = assertThrows(IOException.class, () -> store.ask("", Map.of()));
        assertFalse((e + store.name()).contains(SECRET), e::getMessage);
    }

    /** Fault: a port at which nothing listens is tried until the deadline. */
    @Test
    void givesUpWhereNothingListens() throws Exception {
        URI url = server.url("");
        server.close();
        reopen(HttpStore.builder(url).deadline(Duration.ofMinutes(10)));
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(e.getMessage().contains("connection refused"), e::getMessage);
        assertTrue(e.getMessage().contains("5 tries"), e::getMessage);
    }

    /** Answers whatever comes by HTTP. */
    private static final class PlainServer extends LoopbackServer {
        PlainServer() throws IOException {
            start();
        }

        @Override
        void serve(Socket connection) throws IOException {
            connection.getInputStream().read();
            ScriptedServer.write(
                    connection.getOutputStream(),
                    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    }

    /** Fault: who writes https for http gets the bytes of the answer, after five tries. */
    @Test
    void saysThatAServerHasNoTls() throws Exception {
        try (var plain = new PlainServer()) {
            reopen(HttpStore.builder(URI.create("https://127.0.0.1:" + plain.port())));
            IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
            String expected = "the server answers without TLS.*, 1 try .*";
            assertTrue(e.getMessage().matches(expected), e::getMessage);
        }
    }

    /** Fault: what breaks TLS later is taken for a server without TLS, and is not tried again. */
    @Test
    void saysThatTlsIsBroken(@TempDir Path folder) throws Exception {
        try (var broken = BrokenTlsServer.open(folder)) {
            reopen(
                    HttpStore.builder(URI.create("https://127.0.0.1:" + broken.port()))
                            .sslContext(broken.context()));
            IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
            String expected = "TLS: the server sends bytes outside of its records.*, 5 tries .*";
            assertTrue(e.getMessage().matches(expected), e::getMessage);
        }
    }

    /** Fault: a name that is wrong is looked up as often as a server that may come back. */
    @Test
    void givesUpSoonOnAnUnknownHost() {
        String tooLong = "x".repeat(64) + ".invalid"; // No name server is asked for it.
        reopen(HttpStore.builder(URI.create("http://" + tooLong)));
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(e.getMessage().contains("unknown host (GET"), e::getMessage);
        assertTrue(e.getMessage().contains("2 tries"), e::getMessage);
    }

    /** Fault: a token that is revoked fails a read, though another one can be had. */
    @Test
    void signsAgainAfterStatus401() throws Exception {
        Queue<String> tokens = new ConcurrentLinkedQueue<>(List.of("old", "new", "new"));
        reopen(builder().signer(RequestSigner.bearer(tokens::remove)));
        Queue<Fault> later = new ConcurrentLinkedQueue<>(List.of(Fault.STATUS_503, Fault.NONE));
        server.faults(request ->
                request.headers().get("authorization").equals("Bearer old")
                        ? Fault.STATUS_401
                        : later.remove());
        assertEquals(10, start(0, 10).get().bytes().length);
        assertEquals(
                List.of("Bearer old", "Bearer new", "Bearer new"),
                server.requests().stream().map(r -> r.headers().get("authorization")).toList());
    }

    /** Fault: a server that refuses all credentials is asked for ever. */
    @Test
    void signsAgainOnce() {
        server.faults(request -> Fault.STATUS_401);
        AtomicInteger count = new AtomicInteger();
        reopen(builder().signer(RequestSigner.bearer(() -> "token" + count.incrementAndGet())));
        IOException e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(e.getMessage().startsWith("status 401"), e::getMessage);
        assertEquals(2, server.requests().size());
        reopen(builder().signer(RequestSigner.bearer(() -> "same")));
        e = assertThrows(IOException.class, () -> start(0, 10).get());
        assertTrue(e.getMessage().startsWith("status 401"), e::getMessage);
        assertEquals(3, server.requests().size());
    }

    /** Fault: an option that is set after a store was opened changes that store. */
    @Test
    void keepsItsOptions() throws Exception {
        HttpStoreBuilder builder = HttpStore.builder(server.url(""));
        reopen(builder);
        builder.hidesMissing(true).bearer(SECRET);
        server.faults(request -> Fault.STATUS_403);
        assertThrows(IOException.class, () -> start(0, 10).get());
        assertFalse(server.requests().getLast().headers().containsKey("authorization"));
    }

    @Test
    void refusesOtherUrls() {
        for (String url : List.of("ftp://h/x", "http:///x", "https://h/x?sig=" + SECRET + "#x")) {
            var e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> HttpStore.builder(URI.create(url)));
            assertFalse(e.getMessage().contains(SECRET), e::getMessage);
        }
    }

    /** Fault: a port that no machine has is tried until the deadline. */
    @Test
    void refusesPortsThatDoNotExist() {
        URI url = URI.create("http://127.0.0.1:65536/x");
        var e = assertThrows(IllegalArgumentException.class, () -> HttpStore.builder(url));
        assertEquals("127.0.0.1: there is no port 65536", e.getMessage());
        URI proxy = URI.create("http://127.0.0.1:65536");
        e = assertThrows(IllegalArgumentException.class, () -> builder().proxy(proxy));
        assertTrue(e.getMessage().startsWith("the option names a proxy that"), e::getMessage);
    }
}
