package io.zarrengine.jmh;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.liblz4.Liblz4;
import io.zarrengine.bindings.libzstd.Libzstd;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
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
 * Question: how long does a worker take to decode a chunk, compared with the library alone?
 *
 * <p>Unit: ns per chunk of 64 KiB: int16, a random walk; zstd of level 3, lz4, or gzip. 64 chunks
 * in turns, because with a single one the processor would learn the outcome of each branch.
 * Baseline: {@link #libraryAlone}, one call into the library, with reused contexts too; for gzip
 * the JDK's inflater, which checks no CRC-32.
 *
 * <p>Sketch, made before measuring: libzstd decodes noise of some bits at 0.5 to 1 GB/s, 65 to 130
 * us. Our machine code takes 0.8 to 0.9 of that, for lz4 0.75 of liblz4's 13 us, for gzip half of
 * zlib's time (docs/decoders.md); with {@code -Dio.zarrengine.machinecode=off} all of it. The
 * engine adds 50 to 100 ns. Measured: zstd 0.94, because a random walk is nearly all literals,
 * which leaves little to save; lz4 0.64; gzip 0.58.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class DecodeDownCallBenchmark {
    private static final String ZSTD = "zstd";
    private static final String LZ4 = "numcodecs.lz4";
    private static final String GZIP = "gzip";
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CHUNKS = 64;
    private static final int LZ4_HEADER_BYTES = 4; // of the codec, which the library does not know
    private static final int GZIP_HEADER_BYTES = 10;
    private static final int GZIP_LEVEL = 5;

    /** The codec. */
    @Param({ZSTD, LZ4, GZIP})
    String codec;

    private Arena arena;
    private Workspace workspace;
    private List<BytesCodec> codecs;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private int next;
    private MemorySegment target;
    private MemorySegment context;
    private Inflater inflater;

    /** Encodes elements of a fixed seed, and checks that both ways decode them. */
    @Setup
    public void setUp() throws CodecException, DataFormatException {
        DecodeSamples.require(NativeLibrary.LIBZSTD);
        DecodeSamples.require(NativeLibrary.LIBLZ4);
        arena = Arena.ofConfined();
        workspace = new Workspace();
        target = arena.allocate(CHUNK_BYTES, Long.BYTES);
        context = Libzstd.ZSTD_createDCtx();
        inflater = new Inflater(true);
        int elements = CHUNK_BYTES / Short.BYTES;
        CodecSpec spec =
                switch (codec) {
                    case ZSTD -> CodecSpec.zstd(3);
                    case GZIP -> CodecSpec.gzip(GZIP_LEVEL);
                    default -> new CodecSpec(codec, Map.of());
                };
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, elements)
                        .codecs(List.of(CodecSpec.bytes(), spec))
                        .build();
        codecs = new ArrayPipeline("benchmark", metadata).largest().bytesCodecs();
        MemorySegment decoded = arena.allocate(CHUNK_BYTES, Long.BYTES);
        for (int seed = 0; seed < CHUNKS; seed++) {
            encode(DecodeSamples.randomWalk(seed, decoded));
            next = seed;
            DecodeSamples.check(throughWorkspace(), decoded);
            target.fill((byte) 0);
            next = seed;
            libraryAlone();
            DecodeSamples.check(target, decoded);
        }
    }

    private void encode(MemorySegment decoded) throws CodecException {
        BytesCodec encoder = codecs.getFirst();
        MemorySegment room = arena.allocate(encoder.encodedBytesMax(CHUNK_BYTES));
        chunks.add(room.asSlice(0, encoder.encode(decoded, room, workspace)));
    }

    /** Frees the memory and the library's context. */
    @TearDown
    public void tearDown() {
        Libzstd.ZSTD_freeDCtx(context);
        inflater.end();
        workspace.close();
        arena.close();
    }

    /** The work of a worker for an encoded chunk. */
    @Benchmark
    public MemorySegment throughWorkspace() throws CodecException {
        return ChunkDecoder.decode(codecs, nextChunk(), target, workspace);
    }

    /** The baseline. */
    @Benchmark
    public long libraryAlone() throws DataFormatException {
        MemorySegment chunk = nextChunk();
        return switch (codec) {
            case ZSTD ->
                    Libzstd.ZSTD_decompressDCtx(
                            context, target, CHUNK_BYTES, chunk, chunk.byteSize());
            case GZIP -> {
                inflater.reset();
                inflater.setInput(chunk.asSlice(GZIP_HEADER_BYTES).asByteBuffer());
                yield inflater.inflate(target.asByteBuffer());
            }
            default -> {
                MemorySegment block = chunk.asSlice(LZ4_HEADER_BYTES);
                yield Liblz4.LZ4_decompress_safe(
                        block, target, (int) block.byteSize(), CHUNK_BYTES);
            }
        };
    }

    private MemorySegment nextChunk() {
        MemorySegment chunk = chunks.get(next);
        next = (next + 1) % CHUNKS;
        return chunk;
    }
}
