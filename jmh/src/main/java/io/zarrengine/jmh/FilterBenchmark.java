package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.ArrayFilter;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.FilterChain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
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
 * Question: what do the filters of a chunk cost, where numbers are stored as another type?
 *
 * <p>Unit: ns per chunk of 32,768 elements, float32 or as {@link Chain} says. Baseline: {@link
 * #copyOnly}, a copy of the stored bytes.
 *
 * <p>Sketch, made before measuring: all stays in L2. 64 KiB are loaded and 128 KiB stored, with two
 * passes over a block of 4 KiB in L1 between them: 12,000 vectors of 64 bytes, or 4 us at one in a
 * cycle. A processor divides 16 float32 in 10 cycles: 7 us. So {@code PACKED} takes 10 us, {@code
 * FIXED_SCALE_OFFSET}, which divides float64, 20. A sum waits for the one before, 1 cycle for
 * integers: {@code DELTA} takes 11 us.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class FilterBenchmark {
    private static final int ELEMENTS = 32_768;

    /** Filters of a chunk. */
    public enum Chain {
        /** float32 stored by {@code scale_offset} and {@code cast_value} as int16. */
        PACKED(NumericType.FLOAT32, packed(CodecSpec.bytes())),

        /** The same, with big-endian int16. */
        PACKED_BIG_ENDIAN(
                NumericType.FLOAT32, packed(new CodecSpec("bytes", Map.of("endian", "big")))),

        /** float32 stored as int16 by numcodecs' filter, which computes with float64. */
        FIXED_SCALE_OFFSET(
                NumericType.FLOAT32,
                new CodecSpec(
                        "numcodecs.fixedscaleoffset",
                        Map.of("scale", 100, "offset", 273.5, "dtype", "<f4", "astype", "<i2")),
                CodecSpec.bytes()),

        /** float32 stored as float16. */
        HALF(
                NumericType.FLOAT32,
                new CodecSpec(
                        "numcodecs.astype", Map.of("encode_dtype", "<f2", "decode_dtype", "<f4")),
                CodecSpec.bytes()),

        /** int32 stored as int16 differences. */
        DELTA(
                NumericType.INT32,
                new CodecSpec("numcodecs.delta", Map.of("dtype", "<i4", "astype", "<i2")),
                CodecSpec.bytes());

        private final NumericType type;

        @SuppressWarnings("ImmutableEnumChecker") // never changed
        private final List<CodecSpec> codecs;

        Chain(NumericType type, CodecSpec... codecs) {
            this.type = type;
            this.codecs = List.of(codecs);
        }

        private static CodecSpec[] packed(CodecSpec bytes) {
            return new CodecSpec[] {
                new CodecSpec("scale_offset", Map.of("scale", 100.0, "offset", 273.5)),
                new CodecSpec("cast_value", Map.of("data_type", "int16")),
                bytes
            };
        }
    }

    /** The filters. */
    @Param Chain chain;

    private Arena arena;
    private Workspace workspace;
    private List<ArrayFilter> filters;
    private MemorySegment stored;
    private MemorySegment copy;

    /** Stores numbers of a fixed seed, 2 bytes each, and checks the decoded ones. */
    @Setup
    public void setUp() throws CodecException {
        arena = Arena.ofConfined();
        workspace = new Workspace();
        ArrayMetadata metadata =
                ArrayMetadata.builder(chain.type, ELEMENTS).codecs(chain.codecs).build();
        ChunkPipeline pipeline = new ArrayPipeline("benchmark", metadata).largest();
        filters = ((ChunkPipeline.Serializer.Filtered) pipeline.serializer()).filters();
        stored = DecodeSamples.randomWalk(42, arena.allocate(ELEMENTS * JAVA_SHORT.byteSize(), 8));
        copy = arena.allocate(stored.byteSize(), 8);
        check(filters());
    }

    private void check(MemorySegment decoded) {
        int sum = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            short number = stored.getAtIndex(JAVA_SHORT, i);
            sum += number;
            int expected =
                    switch (chain) {
                        case PACKED -> Float.floatToIntBits(number / 100.0f + 273.5f);
                        case PACKED_BIG_ENDIAN ->
                                Float.floatToIntBits(Short.reverseBytes(number) / 100.0f + 273.5f);
                        case FIXED_SCALE_OFFSET ->
                                Float.floatToIntBits((float) (number / 100.0 + 273.5));
                        case HALF -> Float.floatToIntBits(Float.float16ToFloat(number));
                        case DELTA -> sum;
                    };
            if (decoded.getAtIndex(JAVA_INT, i) != expected) {
                throw new AssertionError("element " + i + " became another number");
            }
        }
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        workspace.close();
        arena.close();
    }

    /** All filters of the chain. */
    @Benchmark
    public MemorySegment filters() throws CodecException {
        return FilterChain.decode(
                filters, stored, (long) ELEMENTS * chain.type.byteSize(), workspace);
    }

    /** The baseline. */
    @Benchmark
    public MemorySegment copyOnly() {
        return copy.copyFrom(stored);
    }
}
