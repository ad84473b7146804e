package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
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
 * Question: what do the rows of a chunk cost when the chunk is placed inside a larger result?
 *
 * <p>Unit: ns per chunk. Baseline: {@link #copyInOneGo}, the same bytes as one run.
 *
 * <p>Sketch, made before measuring: a copy of a row costs 10 ns of calls and checks besides its
 * bytes. {@code BAND_IMAGE} is 64 rows of 1 KiB: 64 KiB at 20 GB/s is 3.3 us, and 0.6 us more for
 * the rows: 1.2 times. {@code SMALL_CUBE} is 256 rows of 16 bytes: 4 KiB take 0.1 us in one copy,
 * and 2.6 us in rows: 25 times. Rows that short need a separate loop, and, for a {@code CUBE},
 * machine code: {@link #scatterInJava} copies them without it.
 *
 * <p>For a chunk in the other order, {@code TRANSPOSED_IMAGE}, an element costs Java 1 ns and a
 * miss of the L1 cache: 64 KiB are 32,768 elements, 60 us. Blocks of 8 x 8 in registers take 8
 * loads, 24 picks and 8 stores. With a copy before and one after, because rows at distances of a
 * power of two evict each other from that cache, it is 56 instructions of 16 bytes for 128: 7 us.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class ScatterBenchmark {
    /** A chunk, and the result that it is a part of. */
    public enum Chunk {
        /** int16, (64, 64, 8) in (256, 256, 8): rows of 1 KiB. */
        BAND_IMAGE(Short.BYTES, new long[] {64, 64, 8}, new long[] {256, 256, 8}),

        /** uint8, (16, 16, 16) in (64, 64, 64): rows of 16 bytes. */
        SMALL_CUBE(Byte.BYTES, new long[] {16, 16, 16}, new long[] {64, 64, 64}),

        /** uint8, (32, 32, 32) in (96, 96, 96): rows of 32 bytes. */
        CUBE(Byte.BYTES, new long[] {32, 32, 32}, new long[] {96, 96, 96}),

        /** int16, (256, 128); each column is a row of (512, 512). */
        TRANSPOSED_IMAGE(Short.BYTES, new long[] {256, 128}, new long[] {512, 512});

        private final int elementBytes;

        @SuppressWarnings("ImmutableEnumChecker") // never changed
        private final long[] shape;

        @SuppressWarnings("ImmutableEnumChecker") // never changed
        private final long[] resultShape;

        Chunk(int elementBytes, long[] shape, long[] resultShape) {
            this.elementBytes = elementBytes;
            this.shape = shape;
            this.resultShape = resultShape;
        }

        private long bytes() {
            return Arrays.stream(shape).reduce(elementBytes, (a, b) -> a * b);
        }

        private long resultBytes() {
            return Arrays.stream(resultShape).reduce(elementBytes, (a, b) -> a * b);
        }
    }

    /** The chunk. */
    @Param Chunk chunk;

    private final StridedBox box = new StridedBox();
    private Arena arena;
    private MemorySegment source;
    private MemorySegment target;
    private Region region;
    private long[] chunkShape;

    /** Places elements of a fixed seed at the second position along each dimension, and checks. */
    @Setup
    public void setUp() {
        arena = Arena.ofConfined();
        source = arena.allocate(chunk.bytes(), Long.BYTES);
        target = arena.allocate(chunk.resultBytes(), Long.BYTES);
        byte[] elements = new byte[(int) chunk.bytes()];
        new Random(42).nextBytes(elements);
        MemorySegment.copy(elements, 0, source, JAVA_BYTE, 0, elements.length);
        chunkShape = chunk.shape;
        region = region();
        check(scatter());
    }

    private Region region() {
        int rank = chunk.shape.length;
        long[] start = new long[rank];
        long[] step = new long[rank];
        Arrays.fill(step, 1);
        long[] targetStride = new long[rank];
        long stride = chunk.elementBytes;
        long targetOffset = 0;
        for (int i = rank - 1; i >= 0; i--) {
            int d = chunk == Chunk.TRANSPOSED_IMAGE ? rank - 1 - i : i;
            targetStride[d] = stride;
            long second = chunk.shape[d] < chunk.resultShape[d] ? chunk.shape[d] : 0;
            targetOffset += second * stride;
            stride *= chunk.resultShape[d];
        }
        return new Region(start, step, chunk.shape.clone(), targetStride, targetOffset);
    }

    /** Checks byte by byte, by coordinates. */
    private void check(MemorySegment result) {
        for (long i = 0; i < source.byteSize(); i++) {
            long rest = i / chunk.elementBytes;
            long at = region.targetOffset() + i % chunk.elementBytes;
            for (int d = chunk.shape.length - 1; d >= 0; d--) {
                at += rest % chunk.shape[d] * region.targetStride(d);
                rest /= chunk.shape[d];
            }
            if (result.get(JAVA_BYTE, at) != source.get(JAVA_BYTE, i)) {
                throw new AssertionError("byte " + i + " is not at " + at);
            }
        }
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        arena.close();
    }

    /** The work of a worker for a decoded chunk. */
    @Benchmark
    public MemorySegment scatter() {
        box.set(region, chunkShape, chunk.elementBytes);
        Scatter.copyFastest(box, source, target, 1);
        return target;
    }

    /** The same without machine code. */
    @Benchmark
    public MemorySegment scatterInJava() {
        box.set(region, chunkShape, chunk.elementBytes);
        Scatter.copy(box, source, target, 1);
        return target;
    }

    /** The baseline. */
    @Benchmark
    public MemorySegment copyInOneGo() {
        MemorySegment.copy(source, 0, target, region.targetOffset(), source.byteSize());
        return target;
    }
}
