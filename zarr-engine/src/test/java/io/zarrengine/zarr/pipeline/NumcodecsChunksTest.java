package io.zarrengine.zarr.pipeline;

import static io.zarrengine.zarr.codec.stream.LzmaCodec.Format.ALONE;
import static io.zarrengine.zarr.codec.stream.LzmaCodec.Format.AUTO;
import static io.zarrengine.zarr.codec.stream.LzmaCodec.Format.RAW;
import static io.zarrengine.zarr.codec.stream.LzmaCodec.Format.XZ;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.DecompressorTests;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.ShuffleCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.stream.Bz2Codec;
import io.zarrengine.zarr.codec.stream.LzmaCodec;
import io.zarrengine.zarr.codec.stream.LzmaFilter;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Chunks that numcodecs 0.16.6 encoded from 60 bytes, where byte i is {@code (7 * i + i // 3) &
 * 255}. Chunks of xz with filters are Python's.
 */
public final class NumcodecsChunksTest {
    private final Workspace workspace = new Workspace();

    /** A codec, and an encoded chunk for it. */
    record Chunk(String name, BytesCodec.Compressor codec, String hex) {
        byte[] encoded() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Chunk> chunks() {
        return Stream.concat(ofOthers().stream(), ofLzma().stream()).toList();
    }

    private static List<Chunk> ofOthers() {
        return List.of(
                new Chunk(
                        "lz4",
                        new Lz4Codec(),
                        "3c000000f02d00070e161d242c333a424950585f666e757c848b929aa1a8b0b7"
                                + "bec6cdd4dce3eaf2f900080f161e252c343b424a515860676e767d848c939aa2"
                                + "a9b0"),
                new Chunk(
                        "zlib",
                        new ZlibCodec(9),
                        "78da013c00c3ff00070e161d242c333a424950585f666e757c848b929aa1a8b0"
                                + "b7bec6cdd4dce3eaf2f900080f161e252c343b424a515860676e767d848c939a"
                                + "a2a9b0bffc19a1"),
                new Chunk(
                        "bz2",
                        new Bz2Codec(1),
                        "425a68313141592653591cce625f0000007fffc0c1810306040c1810306040c1"
                                + "810306040c1810306040810102040408101020200050c068c868308068069a00"
                                + "01aa00000000007a8034d8c804524d4542cbb0cb41b71d79f1043147209669e8"
                                + "a4555d96dc2fc31cb31a6a445bf1cf5df9efc6fc5dc914e142407339897c"),
                new Chunk(
                        "shuffle",
                        new ShuffleCodec(4),
                        "001d3a587592b0cdea082542607d9a0724425f7c9ab7d4f20f2c4a6784a20e2c"
                                + "496684a1bedcf91634516e8ca91633506e8ba8c6e3001e3b587693b0"));
    }

    private static List<Chunk> ofLzma() {
        return List.of(
                new Chunk(
                        "xz",
                        lzma(XZ),
                        "fd377a585a000004e6d6b4460200210116000000742fe5a301003b00070e161d"
                                + "242c333a424950585f666e757c848b929aa1a8b0b7bec6cdd4dce3eaf2f90008"
                                + "0f161e252c343b424a515860676e767d848c939aa2a9b00076a063290b72d591"
                                + "0001543cfc513ed11fb6f37d010000000004595a"),
                new Chunk(
                        "xz sha256 preset 9",
                        lzma(AUTO),
                        "fd377a585a00000ae1fb0ca1020021011c00000010cf58cc01003b00070e161d"
                                + "242c333a424950585f666e757c848b929aa1a8b0b7bec6cdd4dce3eaf2f90008"
                                + "0f161e252c343b424a515860676e767d848c939aa2a9b0006c9e15be23c1f3d2"
                                + "818d32a8e00939f377658131a25794a7251358c09a38bac200016c3c07eda1c6"
                                + "189b4b9a01000000000a595a"),
                new Chunk(
                        "xz none",
                        lzma(XZ),
                        "fd377a585a000000ff12d9410200210116000000742fe5a301003b00070e161d"
                                + "242c333a424950585f666e757c848b929aa1a8b0b7bec6cdd4dce3eaf2f90008"
                                + "0f161e252c343b424a515860676e767d848c939aa2a9b00000014c3ca5c92553"
                                + "06729e7a010000000000595a"),
                new Chunk(
                        "alone",
                        lzma(ALONE),
                        "5d00008000ffffffffffffffff0000020f571be596971656e26bd62732c11b44"
                                + "89a2553160b5daac7d6debb76f8dbdacabfe58f6eb9d13183e81cb4b90baefa5"
                                + "37cb218cc1e003619194cf2a9f39350741fffdf3c000"),
                new Chunk(
                        "raw lzma2",
                        lzma(RAW, filter(LzmaFilter.LZMA2, 1)),
                        "01003b00070e161d242c333a424950585f666e757c848b929aa1a8b0b7bec6cd"
                                + "d4dce3eaf2f900080f161e252c343b424a515860676e767d848c939aa2a9b000"),
                new Chunk(
                        "raw delta lzma2",
                        lzma(RAW, filter(LzmaFilter.DELTA, 4), filter(LzmaFilter.LZMA2, 1)),
                        "e0003b000d5d0000020f571bf093befca100000000"),
                new Chunk(
                        "raw lzma1",
                        lzma(RAW, new LzmaFilter(LzmaFilter.LZMA1, 4096, 1, 2, 0, 1)),
                        "000001cfe011a81af4facdfe9d2e74a74981a8ce49ce12083d44d3d35ecebbf7"
                                + "302511b3458e36911446a7a2ac67cfb41b0abc0f2cee5e6769eef32da0c99eb5"
                                + "b422a0ffff87500000"),
                new Chunk(
                        "xz delta",
                        lzma(XZ),
                        "fd377a585a000004e6d6b4460201030103210110a22a1215e0003b000d5d0000"
                                + "020f571bf093befca10000000000000076a063290b72d5910001293c4756af4b"
                                + "1fb6f37d010000000004595a"),
                new Chunk(
                        "xz x86",
                        lzma(XZ),
                        "fd377a585a000004e6d6b44602010400210110008b216f4901003b00070e161d"
                                + "242c333a424950585f666e757c848b929aa1a8b0b7bec6cdd4dce3eaf2f90008"
                                + "0f161e252c343b424a515860676e767d848c939aa2a9b00076a063290b72d591"
                                + "0001543cfc513ed11fb6f37d010000000004595a"));
    }

    private static LzmaCodec lzma(LzmaCodec.Format format, LzmaFilter... filters) {
        return new LzmaCodec(format, -1, 6, List.of(filters));
    }

    private static LzmaFilter filter(long id, int distance) {
        return new LzmaFilter(id, 8 << 20, 3, 0, 2, distance);
    }

    private static byte[] sample() {
        byte[] sample = new byte[60];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = (byte) (7 * i + i / 3);
        }
        return sample;
    }

    @AfterEach
    void close() {
        workspace.close();
    }

    private byte[] decode(Chunk chunk, byte[] encoded, int targetBytes) throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, targetBytes);
            try {
                MemorySegment source = Samples.nativeCopy(arena, encoded);
                long bytes = chunk.codec().decode(source, target.segment(), workspace);
                return target.segment().asSlice(0, bytes).toArray(JAVA_BYTE);
            } finally {
                target.assertIntact();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("chunks")
    void decodes(Chunk chunk) throws CodecException {
        assertArrayEquals(sample(), decode(chunk, chunk.encoded(), 60));
        assertArrayEquals(sample(), decode(chunk, chunk.encoded(), 10_000));
    }

    @ParameterizedTest
    @MethodSource("chunks")
    void reportsATargetThatIsTooSmall(Chunk chunk) {
        for (int bytes = 0; bytes < 60; bytes++) {
            int targetBytes = bytes;
            assertThrows(
                    TargetTooSmallException.class,
                    () -> decode(chunk, chunk.encoded(), targetBytes));
        }
    }

    @ParameterizedTest
    @MethodSource("chunks")
    void refusesEveryPrefix(Chunk chunk) {
        byte[] encoded = chunk.encoded();
        for (int bytes = 0; bytes < encoded.length; bytes++) {
            byte[] part = Arrays.copyOf(encoded, bytes);
            if (chunk.codec() instanceof ShuffleCodec && bytes % 4 == 0) {
                continue; // Nothing in the stream tells that there was more.
            }
            CodecException e = assertThrows(CodecException.class, () -> decode(chunk, part, 60));
            assertFalse(e instanceof TargetTooSmallException, e::getMessage);
            boolean inWords = !e.getMessage().matches(".*(Exception|Index|null|java\\.).*");
            assertTrue(inWords, e::getMessage);
        }
    }

    /** Python ignores these bytes; the engine refuses the chunk. */
    @ParameterizedTest
    @MethodSource("chunks")
    void refusesBytesAfterTheStream(Chunk chunk) {
        byte[] longer = DecompressorTests.concatenated(chunk.encoded(), new byte[] {1, 2, 3});
        assertThrows(CodecException.class, () -> decode(chunk, longer, 100));
    }

    @ParameterizedTest
    @MethodSource("chunks")
    void survivesEveryFlippedBit(Chunk chunk) {
        for (int bit = 0; bit < 4 * chunk.hex().length(); bit++) {
            byte[] damaged = chunk.encoded();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                decode(chunk, damaged, 60);
            } catch (CodecException expected) {
                assertTrue(expected.getMessage().startsWith(chunk.codec().name() + ": "));
            }
        }
    }

    /** Python does the same. Padding between .xz streams is part of the format. */
    @Test
    void decodesSeveralStreamsAsOneChunk() throws CodecException {
        byte[] twice = DecompressorTests.concatenated(sample(), sample());
        for (Chunk chunk : chunks()) {
            byte[] one = chunk.encoded();
            if (chunk.name().equals("bz2")) {
                byte[] two = DecompressorTests.concatenated(one, one);
                assertArrayEquals(twice, decode(chunk, two, 120));
            } else if (chunk.name().startsWith("xz")) {
                byte[] two = DecompressorTests.concatenated(one, new byte[8], one, new byte[4]);
                assertArrayEquals(twice, decode(chunk, two, 120));
            }
        }
    }
}
