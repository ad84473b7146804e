package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.task.PartCounter;
import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what becomes of work that a calling thread cannot go on with. */
final class CallerRunnerTest {
    /** Three bits of work, of which the second throws until the source has failed. */
    private static final class Source implements WorkSource {
        private final StackOverflowError full =
                new StackOverflowError("the caller's stack is full");
        private final PartCounter parts = new PartCounter(3);
        private final CountDownLatch ended = new CountDownLatch(3);
        private volatile Throwable failure;

        @Override
        public boolean startNext(TaskRunner runner) {
            if (ended.getCount() == 2 && failure == null) {
                throw full;
            }
            if (parts.take() < 0) {
                return false;
            }
            ended.countDown();
            return true;
        }

        @Override
        public void fail(Throwable cause) {
            failure = cause;
        }
    }

    /** Catches work that is lost: its request would never end. */
    @Test
    void workThatThrowsFailsAndWorkersEndTheRest() throws InterruptedException {
        try (ReadBackend backend = ReadBackend.of(ReadBackend.Method.FILE_CHANNEL);
                Executor executor =
                        new Executor(
                                backend::newQueue, backend, ExecutorOptions.divide(1, 64L << 20));
                CallerRunner runner = new CallerRunner(executor, backend)) {
            Source source = new Source();
            runner.offer(source);
            assertSame(source.full, source.failure);
            assertTrue(source.ended.await(30, TimeUnit.SECONDS));
            assertEquals(-1, source.parts.take());
        }
    }
}
