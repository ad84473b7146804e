package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A read of a large zstd or lz4 chunk decodes nothing after the last wanted element. Fails if it
 * decodes the rest as well.
 */
final class PartialReadTest {
    private static final int BLOCK_BYTES = 128 << 10;

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "only libzstd encodes, and stops early");
        assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "only liblz4 encodes, and stops early");
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    /** Writes a chunk of 640 rows of 1024 bytes: 5 blocks of zstd, 128 rows each. */
    private SampleArray write(CodecSpec... codecs) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, 700, 512)
                        .chunkShape(640, 512)
                        .codecs(List.of(codecs))
                        .build();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    private long bytesDecodedFor(SampleArray sample, ZarrArray array, BoxPositions box) {
        long before = engine.metrics().bytesDecoded();
        try (HostTensor tensor = array.read(box.selection())) {
            assertArrayEquals(sample.expected(box), tensor.segment().toArray(JAVA_BYTE));
        }
        return engine.metrics().bytesDecoded() - before;
    }

    /**
     * Returns {@code count} rows from {@code from} on, without the last column, so that a chunk is
     * not decoded straight to the target.
     */
    private static BoxPositions rows(long from, long count) {
        return new BoxPositions(new long[] {from, 0}, new long[] {count, 511}, new long[] {1, 1});
    }

    @Test
    void zstdStopsAfterTheBlockOfTheLastElement() {
        SampleArray sample = write(CodecSpec.bytes(), CodecSpec.zstd(1));
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertEquals(BLOCK_BYTES, bytesDecodedFor(sample, array, rows(0, 1)));
            assertEquals(BLOCK_BYTES, bytesDecodedFor(sample, array, rows(100, 28)));
            assertEquals(2 * BLOCK_BYTES, bytesDecodedFor(sample, array, rows(100, 29)));
            assertEquals(5 * BLOCK_BYTES, bytesDecodedFor(sample, array, rows(512, 1)));
        }
    }

    @Test
    void zstdDecodesAllToCompareAChecksum() {
        Map<String, Object> configuration = Map.of("level", 1L, "checksum", true);
        SampleArray sample = write(CodecSpec.bytes(), new CodecSpec("zstd", configuration));
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertEquals(5 * BLOCK_BYTES, bytesDecodedFor(sample, array, rows(0, 1)));
        }
        engine.close();
        engine = ZarrEngine.builder().verifyChecksums(false).open();
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertEquals(BLOCK_BYTES, bytesDecodedFor(sample, array, rows(0, 1)));
        }
    }

    @Test
    void lz4StopsAfterTheLastElement() {
        SampleArray sample = write(CodecSpec.bytes(), new CodecSpec("numcodecs.lz4", Map.of()));
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertEquals(1022, bytesDecodedFor(sample, array, rows(0, 1)));
            assertEquals(300 * 1024 - 2, bytesDecodedFor(sample, array, rows(200, 100)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void readsWhatWasWritten(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SampleArray sample =
                random.nextBoolean()
                        ? write(CodecSpec.bytes(), CodecSpec.zstd(1))
                        : write(CodecSpec.bytes(), new CodecSpec("numcodecs.lz4", Map.of()));
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int round = 0; round < 10; round++) {
                BoxPositions box = new RandomMetadata(random).box(new long[] {700, 512});
                bytesDecodedFor(sample, array, box);
            }
        }
    }
}
