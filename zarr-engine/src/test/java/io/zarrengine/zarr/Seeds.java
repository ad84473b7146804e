package io.zarrengine.zarr;

import java.util.stream.LongStream;

/** Seeds of random inputs; the name of a test shows the seed that it ran with. */
public final class Seeds {
    private Seeds() {}

    /** Two fixed seeds, then a fresh one; {@code -Dio.zarrengine.seed=N} replays one. */
    public static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    /** Thirty fixed seeds, then a fresh one, for tests that take milliseconds a seed. */
    public static LongStream many() {
        return counting(30);
    }

    /** Fixed seeds that count from 0, then a fresh one, for tests with a case for each number. */
    public static LongStream counting(int count) {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, count), LongStream.of(fresh));
    }
}
