package io.zarrengine.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.http.TestServer.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Second requests beside slow ones, on connections of a server. */
final class HedgingTest {
    private static final int BYTES = 100_000;
    private static final int GUARD = 64;
    private static final byte UNTOUCHED = 0x55;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment guarded = arena.allocate(GUARD + BYTES + GUARD).fill(UNTOUCHED);

    @AfterEach
    void free() {
        arena.close();
    }

    private static HttpStoreBuilder builder(URI url) {
        return HttpStore.builder(url).hedgingDelay(Duration.ofMillis(20));
    }

    private NativeRead start(HttpStore store) {
        NativeRead read = new NativeRead(guarded.asSlice(GUARD, BYTES), BYTES);
        store.read(List.of(read));
        return read;
    }

    private static long get(NativeRead read) throws Exception {
        return read.ended().get(20, TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 2000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(5);
        }
        assertTrue(condition.getAsBoolean());
    }

    /** Answers with an object of this byte. */
    private static void answer(OutputStream out, char value) throws IOException {
        String body = String.valueOf(value).repeat(BYTES);
        ScriptedServer.write(
                out, "HTTP/1.1 200 OK\r\nContent-Length: " + BYTES + "\r\n\r\n" + body);
    }

    private void assertRead(char value) {
        for (long i = 0; i < guarded.byteSize(); i++) {
            boolean isInside = i >= GUARD && i < GUARD + BYTES;
            assertEquals(isInside ? value : UNTOUCHED, guarded.get(JAVA_BYTE, i), "byte " + i);
        }
    }

    /** Fault: a slow answer that comes after the read has ended is written into its target. */
    @Test
    void theFasterAnswerWins() throws Exception {
        CountDownLatch isRead = new CountDownLatch(1);
        CountDownLatch isAnswered = new CountDownLatch(1);
        ScriptedServer.Script script =
                (request, out) -> {
                    if (request == 0) {
                        isRead.await();
                        try {
                            answer(out, 'a');
                        } finally { // The client may have closed the connection.
                            isAnswered.countDown();
                        }
                    } else {
                        answer(out, 'b');
                    }
                    return true;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = builder(server.url()).open()) {
            assertEquals(BYTES, get(start(store)));
            assertRead('b');
            isRead.countDown();
            isAnswered.await();
            await(() -> server.openConnections() == 1);
            assertRead('b');
            assertEquals(2, store.metrics().requests());
            assertEquals(1, store.metrics().hedges());
            assertEquals(0, store.metrics().retries());
        }
    }

    /** Fault: the first answer, if it comes first after all, is thrown away. */
    @Test
    void theFirstRequestMayWin() throws Exception {
        CountDownLatch isHedged = new CountDownLatch(1);
        CountDownLatch isOver = new CountDownLatch(1);
        ScriptedServer.Script script =
                (request, out) -> {
                    if (request == 0) {
                        isHedged.await();
                        answer(out, 'a');
                    } else {
                        isHedged.countDown();
                        isOver.await();
                    }
                    return true;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = builder(server.url()).open()) {
            assertEquals(BYTES, get(start(store)));
            assertRead('a');
            isOver.countDown();
            await(() -> server.openConnections() == 1);
        }
    }

    /** Fault: one request that fails ends the read, or the other request. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "0, false", "1, false"})
    void theOtherGoesOnAfterAFailure(int failing, boolean isCut) throws Exception {
        CountDownLatch areSent = new CountDownLatch(2);
        CountDownLatch hasFailed = new CountDownLatch(1);
        ScriptedServer.Script script =
                (request, out) -> {
                    areSent.countDown();
                    areSent.await();
                    if (request == failing) {
                        String body = isCut ? "a" : "ab";
                        ScriptedServer.write(
                                out, "HTTP/1.1 503 No\r\nContent-Length: 2\r\n\r\n" + body);
                    } else {
                        hasFailed.await();
                        answer(out, 'a');
                    }
                    return request != failing;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = builder(server.url()).open()) {
            NativeRead read = start(store);
            await(() -> store.metrics().answers() == 1 && server.openConnections() == 1);
            hasFailed.countDown();
            assertEquals(BYTES, get(read));
            assertRead('a');
            assertEquals(2, server.heads().size());
            assertEquals(0, store.metrics().retries());
        }
    }

    /** Fault: a server that is slow because of its load gets twice of it. */
    @Test
    void slowServersGetFewMore() throws Exception {
        try (TestServer server = new TestServer();
                HttpStore store = builder(server.url("")).requestsMax(64).open()) {
            server.put("x", new byte[BYTES]);
            server.faults(_ -> Fault.STALL);
            List<NativeRead> reads = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                reads.add(start(store));
            }
            await(() -> store.metrics().hedges() >= 10);
            Thread.sleep(100); // Others would be hedged meanwhile.
            assertTrue(store.metrics().hedges() <= 13, store.metrics().toString());
            reads.forEach(NativeRead::cancel);
            await(() -> server.openConnections() == 0);
            await(() -> store.metrics().inFlight() == 0);
        }
    }

    /** Fault: the time that a signer waits for a token counts, or the second is not signed. */
    @Test
    void bothAreSigned() throws Exception {
        CountDownLatch areSigned = new CountDownLatch(2);
        AtomicBoolean isEarly = new AtomicBoolean();
        RequestSigner signer =
                RequestSigner.bearer(() -> {
                    areSigned.countDown();
                    if (areSigned.getCount() == 1) {
                        isEarly.set(awaits(areSigned, 200));
                    }
                    return "token";
                });
        try (TestServer server = new TestServer();
                HttpStore store = builder(server.url("")).signer(signer).open()) {
            server.put("x", new byte[BYTES]);
            server.faults(_ -> awaits(areSigned, 20_000) ? Fault.NONE : Fault.STATUS_418);
            assertEquals(BYTES, get(start(store)));
            assertFalse(isEarly.get());
            assertEquals(1, store.metrics().hedges());
            for (TestServer.Request request : server.requests()) {
                assertEquals("Bearer token", request.headers().get("authorization"));
            }
        }
    }

    /** Fault: the read fails with a second request that cannot be signed when the first has won. */
    @Test
    void theFirstGoesOnIfTheSecondIsNotSigned() throws Exception {
        AtomicInteger signings = new AtomicInteger();
        CountDownLatch isSigning = new CountDownLatch(1);
        CountDownLatch isAnswering = new CountDownLatch(1);
        CountDownLatch isRefused = new CountDownLatch(1);
        RequestSigner signer =
                RequestSigner.bearer(() -> {
                    if (signings.getAndIncrement() > 0) {
                        isSigning.countDown();
                        awaits(isAnswering, 20_000);
                        isRefused.countDown();
                        throw new IllegalStateException("no token");
                    }
                    return "token";
                });
        ScriptedServer.Script script =
                (_, out) -> {
                    isSigning.await();
                    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + BYTES + "\r\n\r\n";
                    ScriptedServer.write(out, head + "a".repeat(BYTES / 2));
                    Thread.sleep(100); // The client takes it.
                    isAnswering.countDown();
                    isRefused.await();
                    Thread.sleep(100); // So that the client has seen the refusal.
                    ScriptedServer.write(out, "a".repeat(BYTES / 2));
                    return true;
                };
        try (ScriptedServer server = new ScriptedServer(script);
                HttpStore store = builder(server.url()).signer(signer).open()) {
            assertEquals(BYTES, get(start(store)));
            assertRead('a');
        }
    }

    private static boolean awaits(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusesNoDelay() {
        HttpStoreBuilder builder = HttpStore.builder(URI.create("http://host/"));
        assertThrows(IllegalArgumentException.class, () -> builder.hedgingDelay(Duration.ZERO));
    }
}
