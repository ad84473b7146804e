package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.place.ElementRows;
import io.zarrengine.zarr.shuffle.BitShuffle;
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
 * Question: how far is undoing the bit shuffle of a chunk from the speed of memory?
 *
 * <p>Unit: ns per chunk of 64 KiB. Baseline: {@link #copyOnly}, a copy of the same bytes.
 *
 * <p>Sketch, made before measuring: the copy stays in L2, 25 GB/s, 2.6 us. The loops over words zip
 * 8 rows to longs as if they were planes of bytes, 10 us, transpose each with 18 instructions, 15
 * us, and unshuffle the bytes, 10 us: 15 times the copy. With vectors of 64 bytes, a vector takes a
 * load, 3 picks, 18 instructions of transposing and two stores, about 8 ns, plus the time to
 * unshuffle bytes: 10 us, 3 to 5 times the copy. Machine code that multiplies matrices of bits zips
 * 8 rows, 24 picks for 128 bytes, 12 cycles, and takes 8 more instructions: 1.8 us, and 1.2 to 1.9
 * for the bytes. Measured: 1.8 to 3.3 times the copy.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class BitUnshuffleBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;

    /** Bytes of an element. */
    @Param({"1", "4", "8"})
    int elementBytes;

    private Arena arena;
    private MemorySegment shuffled;
    private MemorySegment target;
    private MemorySegment scratch;

    /** Shuffles elements of a fixed seed with a simple loop, and checks that they are restored. */
    @Setup
    public void setUp() {
        arena = Arena.ofConfined();
        shuffled = arena.allocate(CHUNK_BYTES, Long.BYTES);
        target = arena.allocate(CHUNK_BYTES, Long.BYTES);
        scratch = arena.allocate(CHUNK_BYTES, Long.BYTES);
        byte[] elements = new byte[CHUNK_BYTES];
        new Random(42).nextBytes(elements);
        int count = CHUNK_BYTES / elementBytes;
        for (int i = 0; i < count; i++) {
            for (int bit = 0; bit < 8 * elementBytes; bit++) {
                long at = (long) bit * count + i; // in bits
                int value = elements[i * elementBytes + bit / 8] >> (bit % 8) & 1;
                byte before = shuffled.get(JAVA_BYTE, at / 8);
                shuffled.set(JAVA_BYTE, at / 8, (byte) (before | value << (at % 8)));
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

    /** The step of blosc after the decompressor. */
    @Benchmark
    public MemorySegment unshuffle() {
        BitShuffle.unshuffle(shuffled, target, elementBytes, scratch);
        return target;
    }

    /** The same in Java, without vectors. */
    @Benchmark
    public MemorySegment unshuffleScalar() {
        int elements = CHUNK_BYTES / elementBytes;
        ShuffleDispatch.PLAIN.bitsToPlanes(shuffled, scratch, elementBytes, elements / Byte.SIZE);
        ShuffleDispatch.PLAIN.unshuffle(
                ShuffleKernel.planes(scratch, elementBytes),
                ElementRows.one(0, elements, target, 0));
        return target;
    }

    /** The baseline. */
    @Benchmark
    public MemorySegment copyOnly() {
        return target.copyFrom(shuffled);
    }
}
