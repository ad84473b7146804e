package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.place.ElementRows;
import io.zarrengine.zarr.shuffle.ByteShuffle;
import io.zarrengine.zarr.shuffle.ShuffleDispatch;
import io.zarrengine.zarr.shuffle.ShuffleKernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
 * Question: how far is undoing the byte shuffle of a chunk from the speed of memory?
 *
 * <p>Unit: ns per chunk of 64 KiB. Baseline: {@link #copyOnly}, a copy of the same bytes.
 *
 * <p>Sketch, made before measuring: the copy stays in L2, 25 GB/s, 2.6 us. The loop that moves a
 * byte at a time does at best one in a cycle: 65536 / 3 GHz is 22 us, with bounds checks 40 us. So
 * 10 to 15 times the copy, for any element size. Words of 8 bytes take 9 to 11 instructions each,
 * 8192 of them, three in a cycle: 10 us with the copies to arrays, 5 times the copy. With vectors
 * of 64 bytes, elements of 4 bytes take a load, two picks and a store for each vector, 4
 * instructions where the copy has 2: 1.2 to 2 times the copy, and more picks for longer elements.
 * Machine code with registers of 16 bytes: 64 bytes of elements of 4 bytes take 4 loads, 8 picks,
 * of which two are done in a cycle, and 4 stores, so 4 cycles, as the copy. Measured: 1.0 to 1.1
 * times the copy, 1.6 times for 8 bytes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class UnshuffleBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;

    /** Bytes of an element. */
    @Param({"2", "4", "8", "16"})
    int elementBytes;

    private Arena arena;
    private MemorySegment shuffled;
    private MemorySegment target;

    /** Shuffles elements of a fixed seed with a simple loop, and checks that they are restored. */
    @Setup
    public void setUp() {
        arena = Arena.ofConfined();
        shuffled = arena.allocate(CHUNK_BYTES, Long.BYTES);
        target = arena.allocate(CHUNK_BYTES, Long.BYTES);
        byte[] elements = new byte[CHUNK_BYTES];
        new Random(42).nextBytes(elements);
        int count = CHUNK_BYTES / elementBytes;
        for (int i = 0; i < count; i++) {
            for (int b = 0; b < elementBytes; b++) {
                shuffled.set(JAVA_BYTE, (long) b * count + i, elements[i * elementBytes + b]);
            }
        }
        MemorySegment expected = MemorySegment.ofArray(elements);
        boolean right = unshuffle().mismatch(expected) == -1;
        target.fill((byte) 0);
        if (!right || unshuffleScalar().mismatch(expected) != -1) {
            throw new AssertionError("unshuffled to other bytes");
        }
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        arena.close();
    }

    /** The step of blosc and the shuffle filter after the decompressor. */
    @Benchmark
    public MemorySegment unshuffle() {
        ByteShuffle.unshuffle(shuffled, target, elementBytes);
        return target;
    }

    /** The same in Java, without vectors. */
    @Benchmark
    public MemorySegment unshuffleScalar() {
        ShuffleDispatch.PLAIN.unshuffle(
                ShuffleKernel.planes(shuffled, elementBytes),
                ElementRows.one(0, CHUNK_BYTES / elementBytes, target, 0));
        return target;
    }

    /** The baseline. */
    @Benchmark
    public MemorySegment copyOnly() {
        return target.copyFrom(shuffled);
    }
}
