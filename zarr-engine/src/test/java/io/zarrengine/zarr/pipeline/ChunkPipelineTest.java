package io.zarrengine.zarr.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Properties of a chain before any read: sizes, shapes, and whether it decodes. */
final class ChunkPipelineTest {
    private static ChunkPipeline of(CodecSpec... codecs) {
        return new ArrayPipeline(
                        "zarr.json",
                        ArrayMetadata.builder(NumericType.INT16, 4, 6)
                                .codecs(List.of(codecs))
                                .build())
                .largest();
    }

    private static CodecSpec shards(CodecSpec... codecs) {
        return CodecSpec.sharding(new long[] {2, 3}, codecs);
    }

    @Test
    void knowsTheSmallestChunkInside() {
        assertArrayEquals(new long[] {4, 6}, of(CodecSpec.bytes()).innermostShape());
        assertArrayEquals(new long[] {2, 3}, of(shards(CodecSpec.bytes())).innermostShape());
        CodecSpec nested = CodecSpec.sharding(new long[] {1, 3}, CodecSpec.bytes());
        assertArrayEquals(new long[] {1, 3}, of(shards(nested)).innermostShape());
        assertArrayEquals(
                new long[] {4, 6},
                of(shards(CodecSpec.bytes()), CodecSpec.zstd(1)).innermostShape(),
                "a compressed shard is read whole");
    }

    /** The inner shape has the dimension order of the transposition before it. */
    @Test
    void knowsTheSmallestChunkInTheArraysDimensions() {
        CodecSpec transpose = CodecSpec.transpose(1, 0);
        assertArrayEquals(new long[] {4, 6}, of(transpose, CodecSpec.bytes()).innermostShape());
        CodecSpec inner = CodecSpec.sharding(new long[] {3, 2}, transpose, CodecSpec.bytes());
        assertArrayEquals(new long[] {2, 3}, of(transpose, inner).innermostShape());
        ArrayMetadata cube =
                ArrayMetadata.builder(NumericType.INT8, 4, 6, 8)
                        .codecs(
                                List.of(
                                        CodecSpec.transpose(2, 0, 1),
                                        CodecSpec.sharding(
                                                new long[] {8, 2, 3}, CodecSpec.bytes())))
                        .build();
        assertArrayEquals(
                new long[] {2, 3, 8},
                new ArrayPipeline("zarr.json", cube).largest().innermostShape());
    }

    /**
     * Many chunks can then be decoded at once; one that needs more memory reports so at decoding.
     */
    @Test
    void aLargeZstdChunkIsExpectedToBeDecodedBlockByBlock() {
        long mib = 1 << 20;
        assertEquals(9 * mib, zstdChunk(32 * mib).workspaceBytes(5 * mib));
        assertEquals(3 * mib, zstdChunk(3 * mib).workspaceBytes(mib), "less is decoded at once");
        ChunkPipeline checked = zstdChunk(32 * mib, CodecSpec.crc32c());
        assertTrue(checked.workspaceBytes(5 * mib) > 32 * mib);
    }

    private static ChunkPipeline zstdChunk(long bytes, CodecSpec... more) {
        List<CodecSpec> codecs = new ArrayList<>(List.of(CodecSpec.bytes(), CodecSpec.zstd(3)));
        codecs.addAll(List.of(more));
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, bytes)
                        .chunkShape(bytes)
                        .codecs(codecs)
                        .build();
        return new ArrayPipeline("zarr.json", metadata).largest();
    }

    @Test
    void knowsHowLargeAChunkCanBe() {
        ChunkPipeline raw = of(CodecSpec.bytes());
        assertEquals(48, raw.decodedBytes());
        assertEquals(48, raw.encodedBytesMax());
        assertEquals(48, raw.serializedBytesMax());
        ChunkPipeline zstd = of(CodecSpec.bytes(), CodecSpec.zstd(1), CodecSpec.crc32c());
        long bound = new ZstdCodec(1, false).encodedBytesMax(48) + 4;
        assertTrue(zstd.encodedBytesMax() > bound, "other encoders may be worse");
        assertTrue(zstd.encodedBytesMax() < bound + 100_000);
        assertTrue(zstd.workspaceBytes(20) >= 48 + bound);
        ChunkPipeline shard = of(shards(CodecSpec.bytes(), CodecSpec.crc32c()));
        assertEquals(48, shard.decodedBytes());
        assertTrue(shard.serializedBytesMax() >= 48 + 4 * 4 + 4 * 16 + 4);
    }

    @Test
    void knowsWhetherItDecodesToItsTarget() {
        assertFalse(of(CodecSpec.bytes()).decodesToTarget());
        assertTrue(of(CodecSpec.bytes(), CodecSpec.zstd(1)).decodesToTarget());
        assertTrue(of(CodecSpec.bytes(), CodecSpec.gzip(1), CodecSpec.crc32c()).decodesToTarget());
        assertFalse(of(CodecSpec.bytes(), CodecSpec.crc32c(), CodecSpec.gzip(1)).decodesToTarget());
        assertEquals(OptionalLong.of(48), of(CodecSpec.bytes()).encodedBytesExact());
        assertEquals(
                OptionalLong.empty(),
                of(CodecSpec.bytes(), CodecSpec.crc32c()).encodedBytesExact());
        assertEquals(OptionalLong.empty(), of(shards(CodecSpec.bytes())).encodedBytesExact());
    }

    /** The shard's inner chunks, its stored elements, and the wanted elements. */
    @Test
    void knowsTheMemoryOfAShardBehindAFilter() {
        CodecSpec delta = new CodecSpec("numcodecs.delta", Map.of("dtype", "<i2"));
        ChunkPipeline pipeline =
                new ArrayPipeline(
                                "zarr.json",
                                ArrayMetadata.builder(NumericType.INT16, 24)
                                        .codecs(
                                                List.of(
                                                        delta,
                                                        CodecSpec.sharding(
                                                                new long[] {6}, CodecSpec.bytes())))
                                        .build())
                        .largest();
        Serializer.FilteredChunk filtered = (Serializer.FilteredChunk) pipeline.serializer();
        long stored = filtered.stored().workspaceBytes(100);
        assertEquals(8 * 100 + (64 << 10) + 12, stored, "what may be in it, and an inner chunk");
        assertEquals(stored + 48 + 48 + 48, pipeline.workspaceBytes(100));
    }

    @Test
    void knowsTheSizeOfAnIndex() {
        assertEquals(160, new ShardIndexCodec(true, ByteOrder.BIG_ENDIAN, false).encodedBytes(10));
        assertEquals(164, new ShardIndexCodec(true, ByteOrder.BIG_ENDIAN, true).encodedBytes(10));
        assertEquals(
                (1L << 30) + 4,
                new ShardIndexCodec(false, ByteOrder.LITTLE_ENDIAN, true).encodedBytes(1 << 26));
    }

    private static Optional<String> unwritable(long bytes, CodecSpec... codecs) {
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.UINT8, bytes).codecs(List.of(codecs)).build();
        return new ArrayPipeline("zarr.json", array).largest().unwritable();
    }

    /** The refusal comes before the array is begun, not at its first chunk. */
    @Test
    void knowsWhichChunksAreTooLargeToBeEncoded() {
        CodecSpec bytes = CodecSpec.bytes();
        CodecSpec gzip = CodecSpec.gzip(1);
        long gib = 1L << 30;
        assertEquals(Optional.empty(), unwritable(gib, bytes, gzip));
        assertEquals(
                Optional.of(
                        "cannot be written, only read: gzip of 1073741825 bytes, more than"
                                + " 1073741824"),
                unwritable(gib + 1, bytes, gzip));
        assertTrue(unwritable(gib, bytes, CodecSpec.crc32c(), gzip).isPresent());
        long[] inner = {gib};
        assertEquals(Optional.empty(), unwritable(2 * gib, CodecSpec.sharding(inner, bytes, gzip)));
        long[] tooLarge = {2 * gib};
        assertTrue(unwritable(2 * gib, CodecSpec.sharding(tooLarge, bytes, gzip)).isPresent());
    }

    /** They would be stored unrounded, though the metadata declares rounding. */
    @ParameterizedTest
    @CsvSource({
        "bitround, keepbits, 3, true",
        "quantize, digits, 2, true",
        "astype, unused, 0, false",
    })
    void writesNothingThatWouldHaveToBeRounded(
            String name, String setting, int value, boolean rounds) {
        CodecSpec codec =
                new CodecSpec(
                        "numcodecs." + name,
                        Map.of(
                                setting,
                                value,
                                "dtype",
                                "<f4",
                                "encode_dtype",
                                "<f4",
                                "decode_dtype",
                                "<f4"));
        CodecSpec shard = CodecSpec.sharding(new long[] {2}, CodecSpec.bytes());
        CodecSpec inner = CodecSpec.sharding(new long[] {2}, codec, CodecSpec.bytes());
        for (List<CodecSpec> codecs :
                List.of(List.of(codec, CodecSpec.bytes()), List.of(codec, shard), List.of(inner))) {
            ArrayMetadata array =
                    ArrayMetadata.builder(NumericType.FLOAT32, 4).codecs(codecs).build();
            Optional<String> why = new ArrayPipeline("zarr.json", array).largest().unwritable();
            assertEquals(rounds, why.isPresent(), codecs::toString);
        }
    }

    @Test
    void knowsWhichChunksAreTooLargeForLz4() {
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable());
        CodecSpec lz4 = new CodecSpec("numcodecs.lz4", Map.of());
        assertEquals(Optional.empty(), unwritable(0x7e000000, CodecSpec.bytes(), lz4));
        assertTrue(unwritable(0x7e000001, CodecSpec.bytes(), lz4).isPresent());
    }
}
