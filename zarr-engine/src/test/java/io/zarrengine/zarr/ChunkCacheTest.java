package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads with a cache of decoded chunks equal reads without one. */
final class ChunkCacheTest {
    private static final int CHUNK_BYTES = 1024;

    @TempDir private Path folder;

    /** With a large cache the second read finds all chunks; a tiny cache drops each at once. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsWhatOthersDo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ArrayMetadata metadata = new RandomMetadata(random).next();
        long cacheBytes = random.nextBoolean() ? 64 << 20 : 400;
        try (ZarrEngine engine = ZarrEngine.open();
                ZarrEngine cached = ZarrEngine.builder().chunkCacheBytes(cacheBytes).open()) {
            SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
            try (ZarrArray array = engine.openArray(sample.path());
                    ZarrArray cachedArray = cached.openArray(sample.path())) {
                for (int i = 0; i < 12; i++) {
                    compare(array, cachedArray, SingleReads.randomBox(random, array.shape()));
                }
            }
        }
    }

    private static void compare(ZarrArray array, ZarrArray cached, Selection selection) {
        try (HostTensor expected = array.read(selection);
                HostTensor here = cached.read(selection);
                HostTensor byWorkers = cached.readAsync(selection).join()) {
            byte[] bytes = expected.segment().toArray(JAVA_BYTE);
            assertArrayEquals(bytes, here.segment().toArray(JAVA_BYTE));
            assertArrayEquals(bytes, byWorkers.segment().toArray(JAVA_BYTE));
        }
    }

    private ZarrArray sixteenChunks(ZarrEngine engine) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 16L * CHUNK_BYTES)
                        .chunkShape(4L * CHUNK_BYTES)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {CHUNK_BYTES},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .fillValue(new byte[] {99})
                        .build();
        ArrayWriter writer = engine.createArray(folder.resolve("sixteen"), metadata);
        writer.writeAll((chunk, elements) -> {
            for (long i = 0; i < elements.byteSize(); i++) {
                elements.set(JAVA_BYTE, i, (byte) (i * 7 + chunk[0]));
            }
        });
        return engine.openArray(folder.resolve("sixteen"));
    }

    @Test
    void decodesAChunkOnce() {
        try (ZarrEngine engine = ZarrEngine.builder().chunkCacheBytes(1 << 20).open();
                ZarrArray array = sixteenChunks(engine)) {
            array.read(Selection.of("10:16000")).close();
            long decoded = engine.metrics().chunksDecoded();
            long reads = engine.metrics().reads();
            array.read(Selection.all()).close();
            array.read(Selection.of("::3")).close();
            assertEquals(decoded, engine.metrics().chunksDecoded());
            assertEquals(reads, engine.metrics().reads());
        }
    }

    /** The cache drops chunks, but keeps those used recently. */
    @Test
    void keepsRecentlyUsedChunks() {
        try (ZarrEngine engine = ZarrEngine.builder().chunkCacheBytes(6 * CHUNK_BYTES).open();
                ZarrArray array = sixteenChunks(engine)) {
            Selection favourite = Selection.of("0:1000");
            array.read(favourite).close();
            for (int chunk = 1; chunk < 16; chunk++) {
                array.read(Selection.of("" + chunk * CHUNK_BYTES)).close();
                long decoded = engine.metrics().chunksDecoded();
                array.read(favourite).close();
                assertEquals(decoded, engine.metrics().chunksDecoded(), "forgot the favourite");
            }
            long decoded = engine.metrics().chunksDecoded();
            array.read(Selection.of("1024:2048")).close();
            assertTrue(engine.metrics().chunksDecoded() > decoded, "keeps more than it may");
        }
    }

    @Test
    void refusesANegativeSize() {
        ZarrEngineBuilder builder = ZarrEngine.builder();
        assertThrows(IllegalArgumentException.class, () -> builder.chunkCacheBytes(-1));
    }
}
