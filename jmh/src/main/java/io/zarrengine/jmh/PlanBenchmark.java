package io.zarrengine.jmh;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.PieceCursor;
import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Question: what does a piece of a plan cost, and is the cost the same for many pieces?
 *
 * <p>Unit: ns per plan of {@code pieces} pieces, three-dimensional, cut off at both ends. Baseline:
 * {@link #storeOneLong}, one number stored for each piece.
 *
 * <p>Sketch, made before measuring: a piece takes two rounds of three divisions and remainders, 20
 * ns, and two small arrays and a region, 15 ns; storing a long takes 0.5 ns: 70 times. A plan of
 * one piece pays for its tables: 200 ns. 100,000 pieces take 4 ms, linearly, so a million take far
 * less than a second. The plan of a grid computes each cut again and is twice as slow as that of a
 * shard. In a batch each piece has {@link #REGIONS} parts, each of which costs as much as a piece,
 * and is sorted: 10 times a piece.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class PlanBenchmark {
    private static final long CHUNK = 16;
    private static final int REGIONS = 8;

    /** Pieces of the plan: 1, 10 * 10 * 10, 25 * 50 * 80. */
    @Param({"1", "1000", "100000"})
    int pieces;

    private final PieceCursor cursor = new PieceCursor();
    private Region region;
    private long[] chunkShape;
    private long[] chunksPerShard;
    private long[] numbers;

    /** Lays a region over the chunks, and checks that the pieces are a partition of it. */
    @Setup
    public void setUp() {
        long[] chunks =
                switch (pieces) {
                    case 1 -> new long[] {1, 1, 1};
                    case 1000 -> new long[] {10, 10, 10};
                    default -> new long[] {25, 50, 80};
                };
        // From the middle of the first chunk to the second to last element of the last chunk.
        long[] count = Arrays.stream(chunks).map(n -> n * CHUNK - CHUNK / 2 - 1).toArray();
        long[] start = {CHUNK / 2, CHUNK / 2, CHUNK / 2};
        long[] targetStride = {count[1] * count[2], count[2], 1};
        region = new Region(start, new long[] {1, 1, 1}, count, targetStride, 0);
        chunkShape = new long[] {CHUNK, CHUNK, CHUNK};
        chunksPerShard = chunks;
        numbers = new long[pieces];
        check();
    }

    private void check() {
        InnerPieces cuts = new InnerPieces(List.of(region), chunkShape, chunksPerShard);
        GridPlan plan = new GridPlan(region, ChunkGrid.regular(new long[] {CHUNK, CHUNK, CHUNK}));
        if (cuts.pieces() != pieces || plan.chunks() != pieces) {
            throw new AssertionError(cuts.pieces() + " and " + plan.chunks() + " pieces");
        }
        BitSet seen = new BitSet();
        long elements = 0;
        for (int piece = 0; piece < pieces; piece++) {
            Region part = cuts.parts(piece).getFirst();
            Region same = plan.parts(piece).getFirst();
            seen.set(cuts.chunk(piece));
            elements += part.elements();
            if (part.elements() != same.elements() || part.targetOffset() != same.targetOffset()) {
                throw new AssertionError("the two plans differ in piece " + piece);
            }
        }
        if (seen.cardinality() != pieces || elements != region.elements()) {
            throw new AssertionError("the pieces are no partition of the region");
        }
    }

    /** The work of a worker for the inner chunks of a shard. */
    @Benchmark
    public void shard(Blackhole blackhole) {
        InnerPieces cuts = new InnerPieces(List.of(region), chunkShape, chunksPerShard);
        consume(cuts, blackhole);
    }

    /**
     * The same for a batch: {@link #REGIONS} times the same region, which the plan does not notice.
     */
    @Benchmark
    public void batch(Blackhole blackhole) {
        List<Region> regions = Collections.nCopies(REGIONS, region);
        InnerPieces cuts = new InnerPieces(regions, chunkShape, chunksPerShard);
        consume(cuts, blackhole);
    }

    private void consume(InnerPieces cuts, Blackhole blackhole) {
        for (int piece = 0; piece < cuts.pieces(); piece++) {
            blackhole.consume(cuts.chunk(piece));
            cursor.set(cuts, piece, null);
            for (int i = 0; i < cursor.size(); i++) {
                blackhole.consume(cursor.get(i));
            }
        }
    }

    /** The same for an array without shards. */
    @Benchmark
    public void grid(Blackhole blackhole) {
        GridPlan plan = new GridPlan(region, ChunkGrid.regular(new long[] {CHUNK, CHUNK, CHUNK}));
        for (long chunk = 0; chunk < plan.chunks(); chunk++) {
            blackhole.consume(plan.coordinates(chunk));
            blackhole.consume(plan.parts(chunk).getFirst());
        }
    }

    /** The baseline. */
    @Benchmark
    public long[] storeOneLong() {
        for (int piece = 0; piece < numbers.length; piece++) {
            numbers[piece] = piece * CHUNK;
        }
        return numbers;
    }
}
