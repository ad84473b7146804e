package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.http.TestServer.Fault;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ServerContract;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What each store that reads by HTTP does about each fault of a server: every read ends once, with
 * its own bytes or a reason, and no connection is left.
 *
 * @param <S> the store
 */
@SuppressWarnings("exports") // JUnit, which is no dependency of the module
public abstract class FaultContract<S extends ObjectStore> extends ServerContract<TestServer, S> {
    /** The object {@code x}. */
    static final byte[] OBJECT = new byte[20_000];

    private static final Duration STALL_TIMEOUT = Duration.ofMillis(300);

    static {
        new Random(7).nextBytes(OBJECT);
    }

    /** {@return the path of the store on the server; empty, or with a slash at the end} */
    protected String path() {
        return "";
    }

    /** {@return the store, with more options} */
    protected abstract S openStore(Consumer<HttpStoreBuilder> options);

    @Override
    protected final TestServer startServer() throws IOException {
        return new TestServer();
    }

    @Override
    protected final S openStore() {
        return openStore(options -> {});
    }

    @Override
    public final void put(String key, byte[] bytes) {
        server.put(path() + key, bytes);
    }

    @BeforeEach
    final void putObject() {
        put("x", OBJECT);
    }

    private void reopen(Consumer<HttpStoreBuilder> options) {
        reopen(openStore(options));
    }

    final Read start(long offset, long length) {
        return start("x", offset, length);
    }

    /** Closes the store; no connection may be left. */
    final void assertConnectionsClose() throws Exception {
        store.close();
        awaitNoConnection();
    }

    private void awaitNoConnection() throws InterruptedException {
        for (int i = 0; i < 500 && server.openConnections() > 0; i++) {
            Thread.sleep(10);
        }
        assertEquals(0, server.openConnections());
    }

    private static byte[] part(int from, int to) {
        return Arrays.copyOfRange(OBJECT, from, to);
    }

    private List<Read> startMany() {
        List<Read> reads = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            reads.add(new Read("x", 100L * i, 5000));
        }
        store.read(reads);
        return reads;
    }

    /** Fault: bytes of a failed request stay in the result, or the read is not repeated. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "RESET",
                "SHORT_BODY",
                "STALL",
                "STALLED_BODY",
                "STATUS_429",
                "STATUS_500",
                "STATUS_503",
                "RETRY_AFTER",
                "WRONG_RANGE"
            })
    final void repeatsWhatMaySucceed(Fault fault) throws Exception {
        boolean stalls = fault == Fault.STALL || fault == Fault.STALLED_BODY;
        reopen(options -> options.stallTimeout(stalls ? STALL_TIMEOUT : Duration.ofMinutes(1)));
        server.failOnce(fault);
        for (Read read : startMany()) {
            int from = (int) read.offset();
            assertArrayEquals(part(from, from + 5000), read.get().bytes());
            assertEquals(1, read.ends());
        }
        // A connection that is reset before an answer, the client replaces by itself.
        long retries = store.metrics().retries();
        if (stalls) { // On a busy machine, other answers may seem to stall.
            assertTrue(retries >= 40, () -> retries + " retries");
            assertTrue(server.requests().size() >= 80);
        } else {
            assertEquals(fault == Fault.RESET ? 0 : 40, retries);
            assertEquals(80, server.requests().size());
        }
        assertEquals(0, store.metrics().inFlight());
        assertConnectionsClose();
    }

    /** Fault: all of the body is taken for the range. */
    @ParameterizedTest
    @EnumSource(names = {"WHOLE", "NO_LENGTH"})
    final void takesTheRangeOfAWholeObject(Fault fault) throws Exception {
        server.faults(request -> fault);
        assertArrayEquals(part(500, 800), start(500, 300).get().bytes());
        assertArrayEquals(part(19_900, 20_000), start(-100, 100).get().bytes());
        assertArrayEquals(OBJECT, start(0, ObjectRead.WHOLE).get().bytes());
        assertArrayEquals(part(19_900, 20_000), start(19_900, 300).get().bytes());
        assertArrayEquals(part(1, 20_000), start(-19_999, 19_999).get().bytes());
        assertArrayEquals(OBJECT, start(-30_000, 30_000).get().bytes());
        assertEquals(0, start(30_000, 10).get().bytes().length);
        assertConnectionsClose();
    }

    /** Fault: what cannot succeed is repeated, or the error does not name it. */
    @ParameterizedTest
    @EnumSource(names = {"STATUS_401", "STATUS_403", "STATUS_418", "ENCODED"})
    final void refusesAtOnceWhatCannotSucceed(Fault fault) throws Exception {
        server.faults(request -> fault);
        String expected = fault == Fault.ENCODED ? "gzip" : fault.name().substring(7);
        for (Read read : startMany()) {
            IOException e = assertThrows(IOException.class, read::get);
            assertTrue(e.getMessage().contains(expected), e::getMessage);
            assertTrue(e.getMessage().contains("Range bytes=" + read.offset()), e::getMessage);
            assertEquals(1, read.ends());
        }
        assertEquals(0, store.metrics().inFlight());
        assertEquals(0, store.metrics().retries());
        assertConnectionsClose();
    }

    /** Fault: a server that never recovers keeps the reader for ever. */
    @ParameterizedTest
    @EnumSource(names = {"STATUS_503", "RESET", "STALL", "STALLED_BODY", "SHORT_BODY"})
    final void givesUpAfterTheDeadline(Fault fault) throws Exception {
        reopen(options -> options.stallTimeout(STALL_TIMEOUT).deadline(Duration.ofMillis(700)));
        server.faults(request -> fault);
        for (Read read : startMany()) {
            IOException e = assertThrows(IOException.class, read::get);
            assertTrue(e.getMessage().matches(".*tr(y|ies) in .*"), e::getMessage);
            assertEquals(1, read.ends());
        }
        assertEquals(0, store.metrics().inFlight());
        assertConnectionsClose();
    }

    /** Fault: a request that nobody wants goes on, or writes to memory that is used again. */
    @Test
    final void endsWhatNobodyWants() throws Exception {
        reopen(options -> options.requestsMax(1));
        server.faults(request -> Fault.STALLED_BODY);
        Read begun = start(0, 5000);
        Read waiting = start(0, 5000);
        while (server.requests().isEmpty()) {
            Thread.sleep(1);
        }
        waiting.cancel();
        assertThrows(CancellationException.class, waiting::get);
        begun.cancel();
        assertThrows(CancellationException.class, begun::get);
        assertEquals(1, server.requests().size());
        awaitNoConnection();
    }

    /** Fault: a connection leaks, or a read is never told. */
    @Test
    final void failsWhatIsUnderWayWhenItCloses() throws Exception {
        reopen(options -> options.requestsMax(2));
        server.faults(request -> Fault.STALL);
        List<Read> reads = List.of(start(0, 1), start(0, 1), start(0, 1));
        while (server.requests().size() < 2) {
            Thread.sleep(1);
        }
        store.close();
        for (Read read : reads) {
            assertTrue(assertThrows(IOException.class, read::get).getMessage().contains("closed"));
        }
        Read late = start(0, 1);
        assertTrue(assertThrows(IOException.class, late::get).getMessage().contains("closed"));
        awaitNoConnection();
    }
}
