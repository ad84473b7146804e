package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz4;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
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
 * Question: how much does it save to decode only the front of a chunk?
 *
 * <p>Unit: ns per chunk of 1 MiB: int16, a random walk with pauses; {@code eighths} of it are
 * decoded. Baseline: {@link #whole}, all of the chunk in one call of the library.
 *
 * <p>Sketch, made before measuring: the time is proportional to the decoded bytes. zstd block by
 * block pays a call for each 128 KiB, 0.1 us compared with 100 us; lz4 checks for the wanted end in
 * each sequence, some per cent. So 1/8, 1/2, 7/8 take 0.13, 0.5, 0.9 of the whole. Measured since
 * then: for streams with short sequences liblz4 takes nearly twice as long for each byte, so it
 * stops early only for a half or less; our machine code always does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class PartialDecodeBenchmark {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int STEP_MAX = 16;

    /** The codec: zstd of level 3, or lz4. */
    @Param({"zstd", "numcodecs.lz4"})
    String codec;

    /** Eighths of the chunk to decode. */
    @Param({"1", "4", "7"})
    int eighths;

    private Arena arena;
    private Workspace workspace;
    private List<BytesCodec> codecs;
    private MemorySegment encoded;
    private MemorySegment target;

    /** Encodes elements of a fixed seed, and checks that both ways decode them. */
    @Setup
    public void setUp() throws CodecException {
        DecodeSamples.require(NativeLibrary.LIBZSTD);
        DecodeSamples.require(NativeLibrary.LIBLZ4);
        arena = Arena.ofConfined();
        workspace = new Workspace();
        target = arena.allocate(CHUNK_BYTES, Long.BYTES);
        CodecSpec spec = codec.equals("zstd") ? CodecSpec.zstd(3) : new CodecSpec(codec, Map.of());
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, CHUNK_BYTES / Short.BYTES)
                        .codecs(List.of(CodecSpec.bytes(), spec))
                        .build();
        codecs = new ArrayPipeline("benchmark", metadata).largest().bytesCodecs();
        MemorySegment decoded = randomWalk(arena.allocate(CHUNK_BYTES, Long.BYTES));
        BytesCodec encoder = codecs.getFirst();
        MemorySegment room = arena.allocate(encoder.encodedBytesMax(CHUNK_BYTES));
        encoded = room.asSlice(0, encoder.encode(decoded, room, workspace));
        boolean isOurs = MachineCodeLz4.denial().isEmpty();
        boolean stopsEarly = codec.equals("zstd") || isOurs || eighths <= 4;
        check(front(), stopsEarly ? wantedBytes() : CHUNK_BYTES, decoded);
        check(whole(), CHUNK_BYTES, decoded);
    }

    private static MemorySegment randomWalk(MemorySegment elements) {
        SplittableRandom random = new SplittableRandom(42);
        short value = 0;
        for (long i = 0; i < elements.byteSize() / Short.BYTES; i++) {
            value += (short) (random.nextInt(4) == 0 ? random.nextInt(-STEP_MAX, STEP_MAX) : 0);
            elements.setAtIndex(JAVA_SHORT, i, value);
        }
        return elements;
    }

    private long wantedBytes() {
        return CHUNK_BYTES / 8L * eighths;
    }

    /** Checks that exactly the wanted blocks are decoded; otherwise nothing is saved. */
    private void check(long bytes, long expectedBytes, MemorySegment decoded) {
        long wrong = MemorySegment.mismatch(target, 0, expectedBytes, decoded, 0, expectedBytes);
        if (bytes != expectedBytes || wrong >= 0) {
            throw new AssertionError(bytes + " bytes decoded; differs at " + wrong);
        }
        target.fill((byte) 0);
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        workspace.close();
        arena.close();
    }

    /** Only the front. */
    @Benchmark
    public long front() throws CodecException {
        return ChunkDecoder.decodeRange(codecs, encoded, target, 0, wantedBytes(), workspace);
    }

    /** The baseline. */
    @Benchmark
    public long whole() throws CodecException {
        return ChunkDecoder.decode(codecs, encoded, target, workspace).byteSize();
    }
}
