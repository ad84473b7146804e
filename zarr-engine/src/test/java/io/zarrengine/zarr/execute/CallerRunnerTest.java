package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.task.PartCounter;
import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import org.junit.jupiter.api.Test;

/** Work that a calling thread cannot continue fails at once: else its read would never end. */
final class CallerRunnerTest {
    /** Three bits of work, of which the second finds no memory. */
    private static final class Source implements WorkSource {
        private final OutOfMemoryError none = new OutOfMemoryError("none");
        private final PartCounter parts = new PartCounter(3);
        private Throwable failure;
        private int ended;

        @Override
        public boolean startNext(TaskRunner runner) {
            if (parts.ended() == 1 && failure == null) {
                throw none;
            }
            if (parts.take() < 0) {
                return false;
            }
            parts.endOne();
            ended++;
            return true;
        }

        @Override
        public void fail(Throwable cause) {
            failure = cause;
        }
    }

    @Test
    void workThatThrowsFailsAndEnds() {
        try (ReadBackend backend = ReadBackend.of(ReadBackend.Method.FILE_CHANNEL);
                Executor executor =
                        new Executor(
                                backend::newQueue, backend, ExecutorOptions.divide(1, 64L << 20));
                CallerRunner runner = new CallerRunner(executor, backend)) {
            Source source = new Source();
            runner.offer(source);
            assertSame(source.none, source.failure);
            assertEquals(3, source.ended);
        }
    }
}
