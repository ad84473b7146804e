package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads shards of a distant store that are so small that they come with their index. */
final class SmallShardTest {
    private static final String SHARD = "a/c/0/0";

    @TempDir private Path folder;
    private final MemoryStore objects = MemoryStore.create();
    private final CountedStore store = new CountedStore(objects);
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Writes 30 inner chunks in each shard of 12 kB. */
    private SampleArray write(String indexAt, long[] shape) throws IOException {
        CodecSpec sharding =
                CodecSpec.sharding(
                        new long[] {10, 20},
                        CodecSpec.bytes(),
                        CodecSpec.gzip(1),
                        CodecSpec.crc32c());
        Map<String, Object> configuration = new HashMap<>(sharding.configuration());
        configuration.put("index_location", indexAt);
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, shape)
                        .chunkShape(60, 100)
                        .codecs(List.of(new CodecSpec(sharding.name(), configuration)))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("a"), metadata);
        objects.putAll(folder);
        return sample;
    }

    private static byte[] bytes(ZarrArray array, String selection) {
        try (HostTensor tensor = array.read(Selection.of(selection))) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    private byte[] bytes(String selection) {
        try (ZarrArray array = engine.openArray(store, "a")) {
            return bytes(array, selection);
        }
    }

    /** Faults: a second request, or an inner chunk from a wrong place. */
    @ParameterizedTest
    @ValueSource(strings = {"end", "start"})
    void oneRequestBringsAShard(String indexAt) throws IOException {
        SampleArray sample = write(indexAt, new long[] {120, 200});
        assertArrayEquals(sample.all(), bytes("..."));
        assertEquals(4, store.takeChunkReads());
    }

    /** Fault: bytes of the past are read, although the store has others now. */
    @Test
    void laterReadsAskTheStore() throws IOException {
        write("end", new long[] {120, 200});
        try (ZarrArray array = engine.openArray(store, "a")) {
            bytes(array, "3, 4");
            assertEquals(1, store.takeChunkReads());
            bytes(array, "13, 4");
            assertEquals(1, store.takeChunkReads());
            objects.putAll(folder); // The same bytes, in other versions.
            assertThrows(StoreException.class, () -> bytes(array, "23, 4"));
        }
    }

    /** Fault: the size is that of a whole shard, although little of it lies in the array. */
    @Test
    void onlyWhatLiesInTheArrayCounts() throws IOException {
        byte[] elements = new byte[15 * 25];
        Arrays.fill(elements, (byte) 3);
        write(15, 25, elements);
        store.setRequestCost(new RequestCost(480 + 4 + 4 * 10 * 20, 1 << 20));
        assertArrayEquals(elements, bytes("..."));
        assertEquals(1, store.takeChunkReads());
    }

    /** Writes elements of a byte, and nothing beyond the array. */
    private void write(int rows, int columns, byte[] elements) throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, rows, columns)
                        .chunkShape(60, 100)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {10, 20},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .build();
        MemorySegment all = MemorySegment.ofArray(elements);
        engine.createArray(folder.resolve("a"), metadata)
                .writeAll((_, chunk) -> {
                    chunk.fill((byte) 0);
                    for (int row = 0; row < rows; row++) {
                        MemorySegment.copy(all, (long) row * columns, chunk, row * 100L, columns);
                    }
                });
        objects.putAll(folder);
    }

    /** Fault: bytes are read that cost more than the request that they save. */
    @Test
    void aNearStoreIsAskedForTheIndex() throws IOException {
        SampleArray sample = write("end", new long[] {60, 100});
        store.setRequestCost(RequestCost.MEMORY);
        assertArrayEquals(bytes(engine, sample, "3, 4"), bytes("3, 4"));
        assertEquals(2, store.takeChunkReads());
    }

    private static byte[] bytes(ZarrEngine engine, SampleArray sample, String selection) {
        try (ZarrArray local = engine.openArray(sample.path())) {
            return bytes(local, selection);
        }
    }

    /** Fault: a shard that grew when it was encoded is cut off. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = 1)
    void aShardThatGrewIsReadInParts(int seed) throws IOException {
        byte[] elements = new byte[60 * 100];
        new Random(seed).nextBytes(elements);
        write(60, 100, elements);
        assertArrayEquals(elements, bytes("..."));
        assertEquals(3, store.takeChunkReads()); // the beginning, the index, the rest
    }

    /** Fault: more is asked from the end than there is, which s3s-fs answers with status 500. */
    @Test
    void asksForNoMoreFromTheEndThanThereIs() throws IOException {
        SampleArray sample = write("end", new long[] {130, 210});
        assertArrayEquals(sample.all(), bytes("..."));
        assertEquals(9, store.takeChunkReads());
        assertEquals(0, store.longestFromEnd());
    }

    /** Fault: damage is not found, or its place is not told. */
    @Test
    void damageIsFound() throws IOException {
        write("end", new long[] {60, 100});
        byte[] right = Files.readAllBytes(folder.resolve(SHARD));
        byte[] damaged = right.clone();
        damaged[40] ^= 0x55;
        objects.put(SHARD, damaged);
        var e = assertThrows(CorruptChunkException.class, () -> bytes("..."));
        assertTrue(e.getMessage().contains("inner chunk ["), e::getMessage);
        damaged = right.clone();
        damaged[right.length - 20] ^= 0x55;
        objects.put(SHARD, damaged);
        e = assertThrows(CorruptChunkException.class, () -> bytes("..."));
        assertTrue(e.getMessage().contains("shard index"), e::getMessage);
        objects.put(SHARD, new byte[100]);
        e = assertThrows(CorruptChunkException.class, () -> bytes("..."));
        assertTrue(e.getMessage().contains("its index alone takes 484"), e::getMessage);
    }
}
