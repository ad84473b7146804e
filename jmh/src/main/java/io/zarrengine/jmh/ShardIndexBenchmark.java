package io.zarrengine.jmh;

import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.shard.ShardIndexCache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
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
 * Question: what does decoding and checking a shard index cost per open shard?
 *
 * <p>Unit: ns per index of {@code chunkCount} rows, 16 bytes each. Baseline: {@link #copyOnly}, a
 * copy of the same bytes without checks. {@link #decodeWithoutChecksum} separates the bounds checks
 * from the CRC-32C. {@link #add} also caches the index, and {@link #lookUp} looks up each row of a
 * cached one, as a read of all inner chunks does.
 *
 * <p>Sketch, made before measuring: 4096 rows are 64 KiB; one copy at 10 GB/s takes 6.5 us, the
 * CRC-32C at 15 GB/s 4.4 us, and the checks 1 ns a row, 4 us: decoding takes less than 3 times the
 * copy. With 4 rows calls and small objects dominate: 60 ns against 15 ns. Caching an index takes a
 * lock, a block and an entry of a map, 100 ns; looking up a row takes 1 to 2 ns, native or not.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class ShardIndexBenchmark {
    private static final long SHARD_BYTES = 1L << 30;
    private static final ValueLayout.OfLong LE_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ShardIndexCodec CHECKED =
            new ShardIndexCodec(false, ByteOrder.LITTLE_ENDIAN, true);
    private static final ShardIndexCodec UNCHECKED =
            new ShardIndexCodec(false, ByteOrder.LITTLE_ENDIAN, false);

    /** Inner chunks per shard: one cache line, one page, and more than L1. */
    @Param({"4", "256", "4096"})
    int chunkCount;

    private Arena arena;
    private MemorySegment rows;
    private MemorySegment rowsAndChecksum;
    private ShardIndexCache<String> cache;

    /** Fills an index from a fixed seed, and checks the result before measuring. */
    @Setup
    public void setUp() throws CodecException {
        arena = Arena.ofConfined();
        rowsAndChecksum = arena.allocate(CHECKED.encodedBytes(chunkCount));
        MemorySegment random = arena.allocate(UNCHECKED.encodedBytes(chunkCount));
        SplittableRandom numbers = new SplittableRandom(42);
        for (long i = 0; i < 2L * chunkCount; i++) {
            random.setAtIndex(LE_LONG, i, numbers.nextLong(SHARD_BYTES / 4));
        }
        try (Workspace workspace = new Workspace()) {
            new Crc32cCodec().encode(random, rowsAndChecksum, workspace);
        }
        rows = rowsAndChecksum.asSlice(0, random.byteSize());
        checkDamageIsSeen();
        check(decode(), random);
        check(decodeWithoutChecksum(), random);
        cache = new ShardIndexCache<>(1 << 20);
        add();
        try (ShardIndex kept = cache.get("shard").orElseThrow()) {
            check(kept, random);
        }
    }

    /** Checks that a wrong checksum is detected; otherwise checking could cost nothing. */
    private void checkDamageIsSeen() {
        byte right = rows.get(ValueLayout.JAVA_BYTE, 0);
        rows.set(ValueLayout.JAVA_BYTE, 0, (byte) (right ^ 1));
        try {
            decode();
            throw new AssertionError("a wrong checksum was accepted");
        } catch (CodecException expected) {
            rows.set(ValueLayout.JAVA_BYTE, 0, right);
        }
    }

    private void check(ShardIndex index, MemorySegment expected) {
        for (int chunk = 0; chunk < chunkCount; chunk++) {
            if (index.offset(chunk) != expected.getAtIndex(LE_LONG, 2L * chunk)
                    || index.size(chunk) != expected.getAtIndex(LE_LONG, 2L * chunk + 1)) {
                throw new AssertionError("wrong row of chunk " + chunk);
            }
        }
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        cache.close();
        arena.close();
    }

    /** Checksum, rows, bounds: the cost of opening a shard. */
    @Benchmark
    public ShardIndex decode() throws CodecException {
        return ShardIndex.decode(CHECKED, rowsAndChecksum, SHARD_BYTES);
    }

    /** The same, cached in place of the one before. */
    @Benchmark
    public long add() throws CodecException {
        try (ShardIndex index = cache.add("shard", CHECKED, rowsAndChecksum, SHARD_BYTES)) {
            return index.byteSize();
        }
    }

    /** The cost of a shard whose index is cached. */
    @Benchmark
    public long lookUp() {
        try (ShardIndex index = cache.get("shard").orElseThrow()) {
            return sum(index);
        }
    }

    private long sum(ShardIndex index) {
        long sum = 0;
        for (int chunk = 0; chunk < chunkCount; chunk++) {
            if (index.isPresent(chunk)) {
                sum += index.offset(chunk) + index.size(chunk);
            }
        }
        return sum;
    }

    /** Rows and bounds. */
    @Benchmark
    public ShardIndex decodeWithoutChecksum() throws CodecException {
        return ShardIndex.decode(UNCHECKED, rows, SHARD_BYTES);
    }

    /** The baseline. */
    @Benchmark
    public long[] copyOnly() {
        return rows.toArray(LE_LONG);
    }
}
