package io.zarrengine.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests reads whose thread gets results that are rare with real files. */
@Timeout(60)
final class PoolReadQueueTest {
    private static final int BYTES = 1000;

    @TempDir Path folder;

    /** A reader with scripted results. */
    private interface Answer {
        long read(long fileOffset, long bytes);
    }

    private static final class AnsweringReader implements BlockingReader {
        private final Answer answer;

        AnsweringReader(Answer answer) {
            this.answer = answer;
        }

        @Override
        public long read(
                FileHandle file,
                long fileOffset,
                MemorySegment memory,
                long memoryOffset,
                long bytes) {
            return answer.read(fileOffset, bytes);
        }

        @Override
        public void close() {}
    }

    /** {@return the result that the listener gets for one read of {@link #BYTES} bytes} */
    private long result(Answer answer) throws Exception {
        FileHandle file = ChannelFile.open(Files.write(folder.resolve("file"), new byte[BYTES]));
        long[] heard = {Long.MIN_VALUE};
        try (BlockingReadPool pool = new BlockingReadPool(() -> new AnsweringReader(answer));
                Arena arena = Arena.ofShared();
                PoolReadQueue queue = new PoolReadQueue(pool, 1)) {
            int number = queue.attach(file);
            queue.read(number, 0, arena.allocate(BYTES), 0, BYTES, 7);
            while (queue.inFlight() > 0) {
                queue.await(
                        (token, read) -> {
                            assertEquals(7, token);
                            heard[0] = read;
                        },
                        () -> true);
            }
        } finally {
            file.release();
        }
        return heard[0];
    }

    /** Without this, a bug in a reader would make its owner wait forever. */
    @Test
    void aReaderThatThrowsEndsTheReadWithEio() throws Exception {
        long result =
                result((fileOffset, bytes) -> {
                    throw new IllegalStateException("thrown by a test");
                });
        assertEquals(-Errno.EIO, result);
    }

    @Test
    void aReadThatIsInterruptedForEverEnds() throws Exception {
        assertEquals(-Errno.EINTR, result((fileOffset, bytes) -> -Errno.EINTR));
    }

    /** Interrupts are counted from the last byte read, not in total. */
    @Test
    void interruptsBetweenShortReadsAreNoFailure() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        long result =
                result((fileOffset, bytes) -> {
                    assertEquals(BYTES - fileOffset, bytes);
                    return calls.incrementAndGet() % 3 == 0 ? 1 : -Errno.EINTR;
                });
        assertEquals(BYTES, result);
        assertEquals(3 * BYTES, calls.get());
    }

    /** Memory that a thread still writes to must not be freed. */
    @Test
    void whatIsStillReadIsNotDrained() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Answer whenAllowed =
                (fileOffset, bytes) -> {
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    return bytes;
                };
        FileHandle file = ChannelFile.open(Files.write(folder.resolve("file"), new byte[BYTES]));
        try (BlockingReadPool pool = new BlockingReadPool(() -> new AnsweringReader(whenAllowed));
                Arena arena = Arena.ofShared();
                PoolReadQueue queue = new PoolReadQueue(pool, 1)) {
            queue.read(queue.attach(file), 0, arena.allocate(BYTES), 0, BYTES, 0);
            assertFalse(queue.drain(Duration.ofMillis(20)));
            assertEquals(1, queue.inFlight());
            mayEnd.countDown();
            assertTrue(queue.drain(Duration.ofSeconds(30)));
        } finally {
            file.release();
        }
    }
}
