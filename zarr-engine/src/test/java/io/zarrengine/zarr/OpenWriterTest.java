package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers for existing arrays. Fails if one damages other chunks, other writers' files, or the
 * array's document.
 */
final class OpenWriterTest {
    private static final ArrayMetadata METADATA =
            ArrayMetadata.builder(NumericType.UINT8, 7).chunkShape(2).build();

    @TempDir private Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static byte[] all(ZarrArray array) {
        try (HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    private byte[] readAll() {
        try (ZarrArray array = engine.openArray(folder)) {
            return all(array);
        }
    }

    /** A killed writer leaves a file beside its place; files of other writers may be in use. */
    @Test
    void deletesFilesOfKilledWriters() throws IOException {
        engine.createArray(folder, METADATA).writeAll((_, elements) -> elements.fill((byte) 1));
        String id = ".01234567-89ab-cdef-0123-456789abcdef.part";
        Path old = left("c/0" + id, 2);
        Path deep = left("c/9" + id, 300);
        Path young = left("c/1" + id, 0);
        Path other = left("c/mine.part", 300);
        Path elsewhere = left("zarr.json" + id, 300);
        ArrayWriter writer = engine.openWriter(folder);
        assertTrue(Files.exists(old), "nothing is written yet");
        writer.writeChunk(new long[] {2}, MemorySegment.ofArray(new byte[] {5, 5}));
        assertEquals(
                List.of(false, false, true, true, true),
                Stream.of(old, deep, young, other, elsewhere).map(Files::exists).toList());
        Path again = left("c/0" + id, 2);
        writer.writeChunk(new long[] {1}, MemorySegment.ofArray(new byte[] {6, 6}));
        assertTrue(Files.exists(again), "a folder is listed once");
        assertArrayEquals(new byte[] {1, 1, 6, 6, 5, 5, 1}, readAll());
    }

    /** {@code hours}: the age of the file. */
    private Path left(String name, int hours) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[] {1});
        Instant written = Instant.now().minus(Duration.ofHours(hours));
        return Files.setLastModifiedTime(file, FileTime.from(written));
    }

    /** Making chunks may take hours, so existing ones must not be made again. */
    @Test
    void resumesAfterTheLastWrittenChunk() {
        ArrayWriter first = engine.createArray(folder, METADATA);
        assertThrows(
                IllegalStateException.class,
                () ->
                        first.writeAll((chunk, elements) -> {
                            if (chunk[0] == 2) {
                                throw new IllegalStateException("power cut");
                            }
                            elements.fill((byte) (chunk[0] + 1));
                        }));
        assertArrayEquals(new byte[] {1, 1, 2, 2, 0, 0, 0}, readAll());
        ArrayWriter second = engine.openWriter(folder);
        assertArrayEquals(new long[] {4}, second.gridShape());
        for (long chunk = 2; chunk < 4; chunk++) {
            byte element = (byte) (chunk + 1);
            second.writeChunk(
                    new long[] {chunk}, MemorySegment.ofArray(new byte[] {element, element}));
        }
        assertArrayEquals(new byte[] {1, 1, 2, 2, 3, 3, 4}, readAll());
    }

    /**
     * Whole files are replaced: a reader with the old file open continues in it. An array that the
     * same engine has open reads the new one.
     */
    @Test
    void replacesChunks() {
        engine.createArray(folder, METADATA).writeAll((_, elements) -> elements.fill((byte) 1));
        byte[] old = {1, 1, 1, 1, 1, 1, 1};
        byte[] replaced = {1, 1, 5, 6, 0, 0, 1};
        try (ZarrEngine other = ZarrEngine.builder().workers(1).open();
                ZarrArray ofOther = other.openArray(folder);
                ZarrArray open = engine.openArray(folder);
                ZarrArray unread = engine.openArray(folder)) {
            assertArrayEquals(old, all(ofOther));
            assertArrayEquals(old, all(open));
            ArrayWriter writer = engine.openWriter(folder);
            writer.writeChunk(new long[] {1}, MemorySegment.ofArray(new byte[] {5, 6}));
            writer.writeChunk(new long[] {2}, MemorySegment.ofArray(new byte[] {0, 0}));
            assertArrayEquals(old, all(ofOther));
            assertArrayEquals(replaced, all(open));
            assertArrayEquals(replaced, all(unread));
            other.openWriter(folder).refreshChunk(1);
            assertArrayEquals(new byte[] {1, 1, 5, 6, 1, 1, 1}, all(ofOther));
            assertThrows(IndexOutOfBoundsException.class, () -> writer.refreshChunk(4));
        }
        assertArrayEquals(replaced, readAll());
    }

    /**
     * A file may get the inode of the one before, whose content is in caches. Only its time tells
     * them apart, and that of Linux before 6.13 has steps.
     */
    @Test
    void givesEachFileATimeOfItsOwn() throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 200).chunkShape(1).build();
        engine.createArray(folder, metadata).writeAll((_, elements) -> elements.fill((byte) 1));
        Set<FileTime> times = new HashSet<>();
        for (int i = 0;
                i < 200;
                i++) { // Asked for only now, because that has the system take a step.
            times.add(Files.getLastModifiedTime(folder.resolve("c/" + i)));
        }
        assertEquals(200, times.size());
    }

    /** A shard's index, and a chunk in the cache, belong to one version of a file. */
    @Test
    void readsEachOfManyVersions() {
        CodecSpec shards = CodecSpec.sharding(new long[] {2}, CodecSpec.bytes());
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 4).codecs(List.of(shards)).build();
        try (ZarrEngine caching = ZarrEngine.builder().workers(1).chunkCacheBytes(1 << 20).open()) {
            ArrayWriter writer = caching.createArray(folder, metadata);
            try (ZarrArray array = caching.openArray(folder)) {
                for (int i = 1; i < 500; i++) {
                    byte[] elements = {0, (byte) i, 1, (byte) (i / 3)};
                    writer.writeChunk(new long[] {0}, MemorySegment.ofArray(elements));
                    assertArrayEquals(elements, all(array));
                }
            }
        }
    }

    /** Readers that know no other spelling of a type need the document that they wrote. */
    @Test
    void createsNodesOfADocumentAsItIs() throws IOException {
        String document =
                """
                {"zarr_format": 3, "node_type": "array", "shape": [2],
                 "data_type": {"name": "raw_bytes", "configuration": {"length_bytes": 3}},
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
                 "chunk_key_encoding": {"name": "default"}, "fill_value": "AAAA",
                 "codecs": [%s], "attributes": {}}
                """;
        String array = document.formatted("{\"name\": \"bytes\"}");
        engine.create(folder.resolve("a"), array.getBytes(UTF_8));
        assertEquals(array, Files.readString(folder.resolve("a/zarr.json")));
        engine.openWriter(folder.resolve("a"));
        byte[] blosc =
                document.formatted("{\"name\": \"bytes\"}, {\"name\": \"blosc\"}").getBytes(UTF_8);
        assertThrows(FormatException.class, () -> engine.create(folder.resolve("b"), blosc));
        assertFalse(Files.exists(folder.resolve("b")), "nothing is written");
        String group = "{\"node_type\": \"group\", \"zarr_format\": 3}";
        engine.create(folder.resolve("g"), group.getBytes(UTF_8));
        assertEquals(group, Files.readString(folder.resolve("g/zarr.json")));
        assertThrows(
                StoreException.class,
                () -> engine.create(folder.resolve("g"), group.getBytes(UTF_8)));
    }

    @Test
    void writesWholeShards() {
        CodecSpec shards = CodecSpec.sharding(new long[] {2}, CodecSpec.bytes());
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 4).codecs(List.of(shards)).build();
        engine.createArray(folder, metadata).writeAll((_, elements) -> elements.fill((byte) 1));
        engine.openWriter(folder)
                .writeChunk(new long[] {0}, MemorySegment.ofArray(new byte[] {0, 0, 0, 2}));
        assertArrayEquals(new byte[] {0, 0, 0, 2}, readAll());
    }

    /**
     * The document has other writers' keys and order, a codec by its other name, and their
     * attributes.
     */
    @Test
    void writesArraysOfOthers() throws IOException {
        String document =
                """
                {"zarr_format": 3, "node_type": "array", "shape": [2, 2], "data_type": "int16",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 2]}},
                 "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "."}},
                 "fill_value": -1, "attributes": {"made": [1, NaN]},
                 "codecs": [{"name": "bytes", "configuration": {"endian": "big"}},
                            {"name": "numcodecs.zlib", "configuration": {"level": 1}}]}
                """;
        Files.writeString(folder.resolve("zarr.json"), document);
        engine.openWriter(folder)
                .writeChunk(new long[] {1, 0}, MemorySegment.ofArray(new byte[] {1, 0, 2, 0}));
        assertArrayEquals(new byte[] {-1, -1, -1, -1, 1, 0, 2, 0}, readAll());
        assertTrue(Files.exists(folder.resolve("1.0")));
        assertEquals(document, Files.readString(folder.resolve("zarr.json")));
    }

    @Test
    void refusesArraysThatCannotBeWritten() throws IOException {
        Files.writeString(
                folder.resolve(".zarray"),
                """
                {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "|u1", "order": "C",
                 "fill_value": 0, "filters": null, "compressor": null}
                """);
        assertRefused(
                FormatException.class,
                folder,
                folder.resolve(".zarray") + ": zarr_format is 2: cannot be written, only read");
        Files.writeString(
                folder.resolve("zarr.json"),
                """
                {"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "uint8",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
                 "chunk_key_encoding": "default", "fill_value": 0,
                 "codecs": ["bytes", {"name": "blosc", "configuration": {"cname": "lz4",
                   "clevel": 5, "shuffle": "noshuffle", "blocksize": 0}}]}
                """);
        assertRefused(
                FormatException.class,
                folder,
                folder.resolve("zarr.json") + ": codecs cannot be written, only read: blosc");
    }

    @Test
    void refusesAMissingArray() {
        Path group = folder.resolve("group");
        engine.createGroup(group, new GroupMetadata(Map.of()));
        assertRefused(NodeNotFoundException.class, group, group + ": is a group, not an array");
        Path none = folder.resolve("none");
        assertRefused(NodeNotFoundException.class, none, none + ": does not exist");
    }

    private void assertRefused(Class<? extends ZarrException> type, Path path, String message) {
        assertEquals(message, assertThrows(type, () -> engine.openWriter(path)).getMessage());
    }
}
