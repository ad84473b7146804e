package io.zarrengine.uring.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests futures of reads that only a test ends. Completing before that is an error. */
@Timeout(60)
final class ReadFutureTest {
    private final AtomicReference<RuntimeException> givenUp = new AtomicReference<>();
    private final ReadFuture<String> read = new ReadFuture<>(givenUp::set);

    /** The result of a read that fails. */
    private static String unexpected() {
        throw new AssertionError("a result was asked for");
    }

    @Test
    void aReadThatItsCallerCompletesIsGivenUpAndCompletesWithItsEnd() {
        assertTrue(read.complete("instead"));
        assertFalse(read.isDone());
        read.end(ReadFutureTest::unexpected, givenUp.get());
        assertEquals("instead", read.join());
        assertFalse(read.complete("late"));
        assertEquals("instead", read.join());
    }

    @Test
    void aReadThatIsCancelledIsGivenUp() {
        assertTrue(read.cancel(true));
        assertFalse(read.isDone());
        assertInstanceOf(CancellationException.class, givenUp.get());
        read.end(ReadFutureTest::unexpected, givenUp.get());
        assertTrue(read.isCancelled());
        assertFalse(read.cancel(true));
    }

    /** The read ended before the request to end it arrived. */
    @Test
    void aReadThatWasFasterKeepsItsResult() {
        assertTrue(read.completeExceptionally(new IllegalStateException("too late")));
        read.end(() -> "in time", null);
        assertEquals("in time", read.join());
    }

    @Test
    void whatAReadFailedWithIsKept() {
        IllegalStateException failure = new IllegalStateException("first");
        assertTrue(read.complete("instead"));
        read.end(ReadFutureTest::unexpected, failure);
        assertSame(failure, assertThrows(CompletionException.class, read::join).getCause());
    }

    @Test
    void aResultThatCannotBeMadeIsAFailure() {
        IllegalStateException failure = new IllegalStateException("no result");
        read.end(
                () -> {
                    throw failure;
                },
                null);
        assertSame(failure, assertThrows(CompletionException.class, read::join).getCause());
    }

    @Test
    void noCallerMakesItSayThatItEndedBeforeItDid() {
        assertThrows(UnsupportedOperationException.class, () -> read.obtrudeValue(null));
        Exception failure = new IllegalStateException();
        assertThrows(UnsupportedOperationException.class, () -> read.obtrudeException(failure));
        assertThrows(NullPointerException.class, () -> read.completeExceptionally(null));
        assertThrows(NullPointerException.class, () -> read.completeAsync(null));
        assertFalse(read.isDone());
        assertNull(givenUp.get());
    }

    /** Otherwise many reads with long deadlines would pile up. */
    @Test
    void aDeadlineForgetsAReadThatHasEnded() throws InterruptedException {
        WeakReference<CompletableFuture<String>> ended =
                new WeakReference<>(endedReadWithDeadlines());
        for (int i = 0; i < 1000 && ended.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(ended.get(), "still held");
    }

    private static CompletableFuture<String> endedReadWithDeadlines() {
        ReadFuture<String> read = new ReadFuture<>(reason -> {});
        CompletableFuture<String> same =
                read.orTimeout(1, TimeUnit.HOURS).completeOnTimeout("late", 1, TimeUnit.HOURS);
        assertSame(read, same);
        read.end(() -> "in time", null);
        assertEquals("in time", read.join());
        assertTrue(read.isDone());
        return read;
    }
}
