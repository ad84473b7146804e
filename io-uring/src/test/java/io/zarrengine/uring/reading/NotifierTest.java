package io.zarrengine.uring.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NotifierTest {
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch told = new CountDownLatch(1);

    /** A read whose caller is told by what a test says. */
    private static final class Read extends Notifier.Pending {
        private final BooleanSupplier telling;

        Read(BooleanSupplier telling) {
            this.telling = telling;
        }

        @Override
        public boolean tellAgain() {
            return telling.getAsBoolean();
        }
    }

    /** A full heap loses a started thread without a word, or refuses it. */
    @Test
    void repeatsUntilTheCallerIsTold() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            notifier.add(
                    new Read(() ->
                            switch (attempts.incrementAndGet()) {
                                case 1 -> false;
                                case 2 -> throw new OutOfMemoryError("injected");
                                default -> isTold();
                            }));
            assertToldBy(notifier, 3);
        }
    }

    /** A read added while others are notified must not cut their list. */
    @Test
    void tellsAllThatArePutOffMeanwhile() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            Read[] reads = new Read[10];
            for (int i = 0; i < reads.length; i++) {
                int other = (i + 5) % reads.length;
                reads[i] =
                        new Read(() -> {
                            if (attempts.incrementAndGet() > reads.length) {
                                return attempts.get() < 2 * reads.length || isTold();
                            }
                            notifier.add(reads[other]);
                            return false;
                        });
            }
            Arrays.stream(reads).forEach(notifier::add);
            assertToldBy(notifier, 2 * reads.length);
        }
    }

    /** The list of those to tell later wakes the thread that fills it. */
    @Test
    void pausesBetweenTwoLooks() throws InterruptedException {
        try (Notifier notifier = new Notifier(() -> true)) {
            long begin = System.nanoTime();
            notifier.add(
                    new Read(() -> {
                        attempts.incrementAndGet();
                        return System.nanoTime() - begin > 300_000_000 && isTold();
                    }));
            Thread.ofPlatform().daemon().start(notifier);
            assertTrue(told.await(30, TimeUnit.SECONDS));
            assertTrue(attempts.get() < 100, attempts::toString);
        }
    }

    private boolean isTold() {
        told.countDown();
        return true;
    }

    private void assertToldBy(Notifier notifier, int attemptsWanted) throws InterruptedException {
        Thread.ofPlatform().daemon().start(notifier);
        assertTrue(told.await(30, TimeUnit.SECONDS));
        assertEquals(attemptsWanted, attempts.get());
    }
}
