package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large zstd chunks, whose rows are copied while the rest is decoded, in every kind of layout.
 * Fails if rows are lost at the borders of the window.
 */
final class StreamedReadTest {
    private static final int ROUNDS = 25;

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    /** Chunks of 1.75 MB: three times the window of zstd's level 1. */
    private static ArrayMetadata metadata(String layout) {
        CodecSpec zstd = CodecSpec.zstd(1);
        long[] shape = {1000, 1500};
        long[] chunk = {700, 1250};
        long[] shape3 = {30, 170, 300};
        long[] chunk3 = {25, 150, 240};
        return switch (layout) {
            case "rows" -> metadata(shape, chunk, CodecSpec.bytes(), zstd);
            case "planes" -> metadata(shape3, chunk3, CodecSpec.bytes(), zstd);
            case "transposed" ->
                    metadata(shape3, chunk3, CodecSpec.transpose(1, 2, 0), CodecSpec.bytes(), zstd);
            case "behind a checksum" ->
                    metadata(shape, chunk, CodecSpec.bytes(), zstd, CodecSpec.crc32c());
            case "a checksum inside" ->
                    metadata(
                            shape,
                            chunk,
                            CodecSpec.bytes(),
                            new CodecSpec("zstd", Map.of("level", 1L, "checksum", true)));
            case "the other byte order" ->
                    metadata(shape, chunk, new CodecSpec("bytes", Map.of("endian", "big")), zstd);
            default -> throw new IllegalArgumentException(layout);
        };
    }

    private static ArrayMetadata metadata(long[] shape, long[] chunkShape, CodecSpec... codecs) {
        return ArrayMetadata.builder(NumericType.UINT16, shape)
                .chunkShape(chunkShape)
                .codecs(List.of(codecs))
                .build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows",
                "planes",
                "transposed",
                "behind a checksum",
                "a checksum inside",
                "the other byte order"
            })
    void readsWhatWasWritten(String layout) {
        ArrayMetadata metadata = metadata(layout);
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        SplittableRandom random = new SplittableRandom(7);
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertArrayEquals(sample.all(), bytes(array, Selection.all()), "all");
            for (int round = 0; round < ROUNDS; round++) {
                BoxPositions box = new RandomMetadata(random).box(metadata.shape());
                byte[] expected = sample.expected(box);
                assertArrayEquals(expected, bytes(array, box.selection()), box::toString);
                byte[] onTheHeap = new byte[expected.length];
                array.readAsync(box.selection(), MemorySegment.ofArray(onTheHeap)).join();
                assertArrayEquals(expected, onTheHeap, box::toString);
            }
        }
    }

    private static byte[] bytes(ZarrArray array, Selection selection) {
        try (HostTensor tensor = array.read(selection)) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    @Test
    void stopsAfterTheBlockOfTheLastElement() {
        ArrayMetadata metadata = metadata("rows");
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            long before = engine.metrics().bytesDecoded();
            bytes(array, Selection.of("0, 3:7"));
            assertEquals(128 << 10, engine.metrics().bytesDecoded() - before);
        }
    }
}
