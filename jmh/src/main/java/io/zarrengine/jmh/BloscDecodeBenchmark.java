package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.liblz4.Liblz4;
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
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * Question: how long does a worker take to decode a blosc chunk, compared with liblz4 alone on its
 * streams?
 *
 * <p>Unit: ns per chunk of 64 KiB: int16, a random walk, shuffled, in one block of two LZ4 streams.
 * 64 chunks in turns. Baseline: {@link #streamsAlone}, a call into the library for each stream; the
 * elements stay shuffled.
 *
 * <p>Sketch, made before measuring: the stream of the low bytes is noise that LZ4 stores, 32 KiB
 * copied, and that of the high bytes is long runs: 5 us together. Our machine code takes 0.75 of
 * that (docs/decoders.md), and unshuffling 64 KiB takes 1.3 of a copy, 3 us: 1.3 of the baseline.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@State(Scope.Thread)
public class BloscDecodeBenchmark {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int CHUNKS = 64;
    private static final int STREAMS = Short.BYTES; // one for each byte plane
    private static final int STREAM_BYTES = CHUNK_BYTES / STREAMS;
    private static final int FRAME_HEADER_BYTES = 16;
    private static final int LZ4_HEADER_BYTES = 4; // of numcodecs.lz4; blosc has none
    private static final byte[] HEADER = {2, 1, 0x21, Short.BYTES}; // shuffled, LZ4, split
    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Arena arena;
    private Workspace workspace;
    private List<BytesCodec> codecs;
    private final List<MemorySegment> frames = new ArrayList<>();
    private final List<MemorySegment[]> streams = new ArrayList<>(); // of each frame
    private int next;
    private MemorySegment target;

    /** Encodes elements of a fixed seed, and checks that both ways decode them. */
    @Setup
    public void setUp() throws CodecException {
        DecodeSamples.require(NativeLibrary.LIBLZ4);
        arena = Arena.ofConfined();
        workspace = new Workspace();
        target = arena.allocate(CHUNK_BYTES, Long.BYTES);
        codecs =
                codecs(
                        new CodecSpec(
                                "blosc",
                                Map.of(
                                        "cname",
                                        "lz4",
                                        "clevel",
                                        5,
                                        "shuffle",
                                        "shuffle",
                                        "typesize",
                                        Short.BYTES,
                                        "blocksize",
                                        0)));
        BytesCodec lz4 = codecs(new CodecSpec("numcodecs.lz4", Map.of())).getFirst();
        MemorySegment elements = arena.allocate(CHUNK_BYTES, Long.BYTES);
        for (int seed = 0; seed < CHUNKS; seed++) {
            MemorySegment shuffled = shuffle(DecodeSamples.randomWalk(seed, elements));
            addFrame(shuffled, lz4);
            next = seed;
            DecodeSamples.check(throughWorkspace(), elements);
            target.fill((byte) 0);
            next = seed;
            streamsAlone();
            DecodeSamples.check(target, shuffled);
        }
    }

    private static List<BytesCodec> codecs(CodecSpec spec) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, CHUNK_BYTES / Short.BYTES)
                        .codecs(List.of(CodecSpec.bytes(), spec))
                        .build();
        return new ArrayPipeline("benchmark", metadata).largest().bytesCodecs();
    }

    private MemorySegment shuffle(MemorySegment elements) {
        MemorySegment planes = arena.allocate(CHUNK_BYTES);
        for (int i = 0; i < CHUNK_BYTES; i++) {
            int at = i % STREAMS * STREAM_BYTES + i / STREAMS;
            planes.set(JAVA_BYTE, at, elements.get(JAVA_BYTE, i));
        }
        return planes;
    }

    /**
     * Adds a frame: the header, the offset of the only block, and before each stream its length.
     */
    private void addFrame(MemorySegment shuffled, BytesCodec lz4) throws CodecException {
        MemorySegment frame = arena.allocate(2 * CHUNK_BYTES);
        MemorySegment[] ofFrame = new MemorySegment[STREAMS];
        long at = FRAME_HEADER_BYTES + Integer.BYTES;
        frame.set(LE_INT, FRAME_HEADER_BYTES, (int) at);
        for (int plane = 0; plane < STREAMS; plane++) {
            MemorySegment room = arena.allocate(lz4.encodedBytesMax(STREAM_BYTES));
            MemorySegment bytes = shuffled.asSlice(plane * (long) STREAM_BYTES, STREAM_BYTES);
            long encoded = lz4.encode(bytes, room, workspace) - LZ4_HEADER_BYTES;
            frame.set(LE_INT, at, (int) encoded);
            ofFrame[plane] = frame.asSlice(at + Integer.BYTES, encoded);
            ofFrame[plane].copyFrom(room.asSlice(LZ4_HEADER_BYTES, encoded));
            at += Integer.BYTES + encoded;
        }
        MemorySegment.copy(HEADER, 0, frame, JAVA_BYTE, 0, HEADER.length);
        frame.set(LE_INT, 4, CHUNK_BYTES);
        frame.set(LE_INT, 8, CHUNK_BYTES);
        frame.set(LE_INT, 12, (int) at);
        frames.add(frame.asSlice(0, at));
        streams.add(ofFrame);
    }

    /** Frees the memory. */
    @TearDown
    public void tearDown() {
        workspace.close();
        arena.close();
    }

    /** The work of a worker for an encoded chunk. */
    @Benchmark
    public MemorySegment throughWorkspace() throws CodecException {
        return ChunkDecoder.decode(codecs, frames.get(advance()), target, workspace);
    }

    /** The baseline. */
    @Benchmark
    public int streamsAlone() {
        int bytes = 0;
        for (MemorySegment stream : streams.get(advance())) {
            bytes +=
                    Liblz4.LZ4_decompress_safe(
                            stream, target.asSlice(bytes), (int) stream.byteSize(), STREAM_BYTES);
        }
        return bytes;
    }

    private int advance() {
        int now = next;
        next = (next + 1) % CHUNKS;
        return now;
    }
}
