package io.zarrengine.jmh;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does a result cost that the engine allocates and the caller closes?
 *
 * <p>Unit: ns per read of {@code bytes} uncompressed bytes, inner chunks of 64 KiB in the page
 * cache, at successive places. Baseline: {@link #toTheCallersMemory}.
 *
 * <p>Sketch, made before measuring: closing an arena takes 12 to 75 us, reading 64 KiB takes 7, and
 * 64 results of that size share an arena: 1 us more than the baseline. Of 1 MiB, four share one, 15
 * us of 105.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Benchmark)
public class ResultBenchmark {
    private static final int ARRAY_BYTES = 64 << 20;
    private static final int CHUNK_BYTES = 64 << 10;

    /** Bytes of a read. */
    @Param({"65536", "1048576"})
    int bytes;

    private RandomArray stored;
    private ZarrEngine engine;
    private ZarrArray array;
    private Selection[] parts;

    /** A thread's place in the array, and its own memory. */
    @State(Scope.Thread)
    public static class Reader {
        private NativeMemory memory;
        private int next;

        /** Allocates the memory. */
        @Setup
        public void setUp(ResultBenchmark benchmark) {
            memory = NativeMemory.allocate(benchmark.bytes);
        }

        /** Frees the memory. */
        @TearDown
        public void tearDown() {
            memory.close();
        }
    }

    /** Writes an array of random bytes. */
    @Setup
    public void setUp() throws IOException {
        stored = RandomArray.write(ARRAY_BYTES, CHUNK_BYTES);
        engine = ZarrEngine.open();
        array = engine.openArray(stored.path());
        parts = new Selection[ARRAY_BYTES / bytes];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = Selection.box(new long[] {(long) i * bytes}, new long[] {bytes});
        }
    }

    /** Closes the engine, and deletes the array. */
    @TearDown
    public void tearDown() throws IOException {
        engine.close();
        stored.delete();
    }

    private Selection next(Reader reader) {
        return parts[reader.next++ % parts.length];
    }

    /** A new result for each read. */
    @Benchmark
    public long toNewMemory(Reader reader) {
        try (HostTensor result = array.read(next(reader))) {
            return result.byteSize();
        }
    }

    /** The baseline. */
    @Benchmark
    public void toTheCallersMemory(Reader reader) {
        array.read(next(reader), reader.memory.segment());
    }
}
