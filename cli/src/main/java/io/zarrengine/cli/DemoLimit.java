package io.zarrengine.cli;

import io.zarrengine.bindings.libzstd.Libzstd;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * Measures the limit of the machine: bytes per second that all threads together copy, or decode
 * with libzstd, if they do nothing else.
 */
final class DemoLimit {
    /** Larger than a processor's cache. */
    private static final long SOURCE_BYTES = 128 << 20;

    /** The size of a crop of the sample; fits in a core's cache. */
    private static final long TARGET_BYTES = 1 << 20;

    private static final long PIECE_BYTES = 64 << 10;
    private static final long PIECES_APART = 1021;

    private final int threads;
    private final double seconds;

    /**
     * Creates a measurement.
     *
     * @param threads number of threads
     * @param seconds duration of a measurement
     */
    DemoLimit(int threads, double seconds) {
        this.threads = threads;
        this.seconds = seconds;
    }

    /** {@return the rate of copying data that is in no cache} */
    double copied() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES);
            source.fill((byte) 1); // Otherwise all of it is one page of zeros.
            MemorySegment targets = arena.allocate(threads * TARGET_BYTES);
            return onAllThreads(thread -> {
                MemorySegment target = targets.asSlice(thread * TARGET_BYTES, TARGET_BYTES);
                return rate(
                        thread,
                        piece -> {
                            long at = piece * PIECE_BYTES;
                            MemorySegment.copy(
                                    source,
                                    at % SOURCE_BYTES,
                                    target,
                                    at % TARGET_BYTES,
                                    PIECE_BYTES);
                            return PIECE_BYTES;
                        });
            });
        }
    }

    /** {@return the rate of libzstd on chunks of the sample, in decoded bytes} */
    double decoded(Path sample) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> chunks = DemoSample.encodedChunks(sample, arena);
            long bytesMax = DemoSample.INNER_BYTES;
            MemorySegment targets = arena.allocate(threads * bytesMax);
            return onAllThreads(thread -> {
                MemorySegment target = targets.asSlice(thread * bytesMax, bytesMax);
                MemorySegment context = Libzstd.ZSTD_createDCtx();
                try {
                    return rate(
                            thread,
                            piece -> {
                                MemorySegment chunk = chunks.get((int) (piece % chunks.size()));
                                return Libzstd.ZSTD_decompressDCtx(
                                        context, target, bytesMax, chunk, chunk.byteSize());
                            });
                } finally {
                    Libzstd.ZSTD_freeDCtx(context);
                }
            });
        }
    }

    private double onAllThreads(IntToDoubleFunction work) {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            return IntStream.range(0, threads)
                    .mapToObj(i ->
                            CompletableFuture.supplyAsync(() -> work.applyAsDouble(i), executor))
                    .toList() // Starts all of them before it waits for the first.
                    .stream()
                    .mapToDouble(CompletableFuture::join)
                    .sum();
        }
    }

    /**
     * Returns the rate of one thread. Each thread begins at another piece, because otherwise the
     * shared caches would hold the data.
     */
    private double rate(int thread, LongUnaryOperator work) {
        long first = thread * PIECES_APART;
        double half = seconds / 2;
        repeat(first, work, half); // Java compiles the code meanwhile.
        return repeat(first, work, half);
    }

    private static double repeat(long first, LongUnaryOperator work, double secondsMin) {
        long begin = System.nanoTime();
        long bytes = 0;
        long piece = first;
        double passed;
        do {
            bytes += work.applyAsLong(piece++);
            passed = (System.nanoTime() - begin) / 1e9;
        } while (passed < secondsMin);
        return bytes / passed;
    }
}
