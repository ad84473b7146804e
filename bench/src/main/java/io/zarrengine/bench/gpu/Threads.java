package io.zarrengine.bench.gpu;

import java.io.IOException;
import java.util.List;

/** Waits for the threads of a measurement. */
final class Threads {
    private Threads() {}

    /** Waits for all of them; throws if the calling thread is interrupted. */
    static void join(List<Thread> threads) throws IOException {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
