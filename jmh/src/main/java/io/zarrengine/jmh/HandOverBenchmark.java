package io.zarrengine.jmh;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does it cost to hand a read over to a worker, and to get its end back?
 *
 * <p>Unit: ns per read of one uncompressed inner chunk of 64 KiB in the page cache, at successive
 * places. Baseline: {@link #onTheCallersThread}, where the waiting thread reads it.
 *
 * <p>Sketch, made before measuring: a sleeping worker is woken, 3 to 30 us depending on the machine
 * (futex, eventfd, waking a sleeping core), and wakes the caller: 15 us more than the baseline,
 * twice that on a virtual machine. With 16 reads in flight no thread sleeps, so the time is that of
 * the baseline.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Benchmark)
public class HandOverBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CHUNKS = 1024;
    private static final int IN_FLIGHT = 16;

    private RandomArray stored;
    private ZarrEngine engine;
    private ZarrArray array;
    private final Selection[] parts = new Selection[CHUNKS];
    private NativeMemory memory;
    private final MemorySegment[] targets = new MemorySegment[IN_FLIGHT];
    private final CompletableFuture<?>[] reads = new CompletableFuture<?>[IN_FLIGHT];
    private int next;

    /** Writes an array of random bytes. */
    @Setup
    public void setUp() throws IOException {
        stored = RandomArray.write(CHUNKS * (long) CHUNK_BYTES, CHUNK_BYTES);
        engine = ZarrEngine.open();
        array = engine.openArray(stored.path());
        for (int i = 0; i < CHUNKS; i++) {
            parts[i] = Selection.box(new long[] {(long) i * CHUNK_BYTES}, new long[] {CHUNK_BYTES});
        }
        memory = NativeMemory.allocate(IN_FLIGHT * CHUNK_BYTES);
        for (int i = 0; i < IN_FLIGHT; i++) {
            targets[i] = memory.segment().asSlice(i * (long) CHUNK_BYTES, CHUNK_BYTES);
        }
    }

    /** Closes the engine, and deletes the array. */
    @TearDown
    public void tearDown() throws IOException {
        engine.close();
        memory.close();
        stored.delete();
    }

    private Selection advance() {
        return parts[next++ % CHUNKS];
    }

    /** The baseline. */
    @Benchmark
    public void onTheCallersThread() {
        array.read(advance(), targets[0]);
    }

    /** One read at a time, by a worker. */
    @Benchmark
    public void byAWorker() {
        array.readAsync(advance(), targets[0]).join();
    }

    /** Waits for the oldest of 16 reads in flight. */
    @Benchmark
    public void byWorkersAhead() {
        int slot = next % IN_FLIGHT;
        if (reads[slot] != null) {
            reads[slot].join();
        }
        reads[slot] = array.readAsync(advance(), targets[slot]);
    }
}
