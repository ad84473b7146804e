package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Hierarchies in zip files, read in every way, equal the same hierarchies in folders. */
final class ZipReadTest {
    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private SampleArray writeChunks(Path path) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 37, 50)
                        .chunkShape(10, 20)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.crc32c()))
                        .build();
        return SampleArray.write(engine, path, metadata);
    }

    private SampleArray writeShards(Path path) {
        return SampleArray.writeShards(
                engine, path, NumericType.FLOAT32, CodecSpec.bytes(), CodecSpec.gzip(1));
    }

    private Path zip(Path stored) throws IOException {
        return ZipFiles.zip(stored, folder.resolve("a.zip"), ZipEntry.STORED);
    }

    private static void assertReads(ZarrEngine engine, Path path, SampleArray sample) {
        try (ZarrArray array = engine.openArray(path)) {
            for (int i = 0; i < 3; i++) { // Files are mapped when they have been read twice.
                try (HostTensor tensor = array.read(Selection.all())) {
                    assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
                }
            }
        }
    }

    @Test
    void equalsTheSameHierarchyInAFolder() throws IOException {
        Path root = folder.resolve("root");
        engine.createGroup(root, new GroupMetadata(Map.of("name", "cells")));
        engine.createGroup(root.resolve("inner"), new GroupMetadata(Map.of()));
        SampleArray chunks = writeChunks(root.resolve("chunks"));
        SampleArray shards = writeShards(root.resolve("inner/shards"));
        Path zip = zip(root);
        ZarrGroup group = engine.openGroup(zip);
        assertEquals(Map.of("name", "cells"), group.attributes());
        assertEquals(List.of("chunks", "inner"), group.names());
        assertEquals(List.of("shards"), ((ZarrGroup) group.open("inner")).names());
        assertEquals(zip.resolve("inner/shards"), group.open("inner/shards").path());
        assertReads(engine, zip.resolve("chunks"), chunks);
        assertReads(engine, zip.resolve("inner/shards"), shards);
        try (ZarrArray inFolder = engine.openArray(root.resolve("chunks"));
                ZarrArray inZip = (ZarrArray) group.open("chunks")) {
            assertEquals(inFolder.storedSize(), inZip.storedSize());
        }
        ZarrGroup around = engine.createGroup(folder, new GroupMetadata(Map.of()));
        assertEquals(List.of("chunks", "inner"), ((ZarrGroup) around.open("a.zip")).names());
        assertReads(engine, around.open("a.zip/chunks").path(), chunks);
        for (String missing : List.of("none", "chunks/none", "chunks/zarr.json", "../root")) {
            assertThrows(NodeNotFoundException.class, () -> group.open(missing));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ZarrEngine.Io.class,
            names = {"URING", "PREAD", "CHANNEL"})
    void everyWayReads(ZarrEngine.Io io) throws IOException {
        ReadBackend.Method method =
                switch (io) {
                    case URING -> ReadBackend.Method.IO_URING;
                    case PREAD -> ReadBackend.Method.PREADV;
                    default -> ReadBackend.Method.FILE_CHANNEL;
                };
        assumeTrue(ReadBackend.unavailabilityCause(method).isEmpty());
        SampleArray shards = writeShards(folder.resolve("shards"));
        Path zip = zip(shards.path());
        // Reads that bypass the page cache need aligned offsets.
        for (Caching caching : Caching.values()) {
            try (ZarrEngine reading = ZarrEngine.builder().io(io).caching(caching).open()) {
                assertReads(reading, zip, shards);
            }
        }
    }

    /**
     * A caller that opened the file sees the old file, as with a folder, never a mixture of both.
     */
    @Test
    void readsTheOldFileOrFailsWhenItIsReplaced() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("chunks"));
        Path zip = zip(chunks.path());
        try (ZarrArray early = engine.openArray(zip);
                ZarrArray late = engine.openArray(zip)) {
            early.read(Selection.of("0, 0")).close();
            Files.delete(zip);
            ZipFiles.zip(writeShards(folder.resolve("shards")).path(), zip, ZipEntry.STORED);
            try (HostTensor tensor = early.read(Selection.all())) {
                assertArrayEquals(chunks.all(), tensor.segment().toArray(JAVA_BYTE));
            }
            StoreException e =
                    assertThrows(StoreException.class, () -> late.read(Selection.of("0, 0")));
            assertEquals(
                    zip.resolve("c/0/0") + ": the zip file has changed since it was opened",
                    e.getMessage());
        }
    }

    /** Chunks and whole shards, again and again, with a cache of decoded chunks too. */
    @Test
    void inflatesCompressedChunks() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("chunks"));
        SampleArray shards = writeShards(folder.resolve("shards"));
        try (ZarrEngine keeping = ZarrEngine.builder().chunkCacheBytes(1 << 20).open()) {
            for (SampleArray sample : List.of(chunks, shards)) {
                Path zip = folder.resolve(sample.path().getFileName() + "-deflated.zip");
                ZipFiles.zip(sample.path(), zip, ZipEntry.STORED, ZipEntry.DEFLATED);
                assertReads(engine, zip, sample);
                assertReads(keeping, zip, sample);
                assertReads(keeping, zip, sample);
                try (ZarrArray array = engine.openArray(zip)) {
                    StoredSize stored = array.storedSize();
                    assertTrue(stored.files() > 0);
                    assertEquals(stored.files(), stored.deflatedFiles());
                }
            }
        }
    }

    /**
     * A chunk may not take more memory than its elements can need, whatever the zip file claims.
     */
    @Test
    void refusesAChunkThatInflatesToTooManyOrOtherBytes() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("chunks"));
        byte[] document = Files.readAllBytes(chunks.path().resolve("zarr.json"));
        byte[] chunk = Files.readAllBytes(chunks.path().resolve("c/0/0"));
        byte[] bomb = new byte[100 << 20];
        assertRefused(document, bomb, 0, "has 104857600 bytes, ");
        assertRefused(document, Arrays.copyOf(chunk, chunk.length - 1), 0, "");
        assertRefused(document, chunk, 1, "deflate of the zip file: ");
    }

    /** {@code flipped}: 1 to change a bit of the chunk's checksum in the zip file. */
    private void assertRefused(byte[] document, byte[] chunk, int flipped, String problem)
            throws IOException {
        Path zip = Files.createTempFile(folder, "refused", ".zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            ZipFiles.put(out, "zarr.json", document, ZipEntry.DEFLATED);
            ZipFiles.put(out, "c/0/0", chunk, ZipEntry.DEFLATED);
        }
        byte[] bytes = Files.readAllBytes(zip);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.lastIndexOf("PK\1\2") + 16] ^= (byte) flipped; // of the chunk's entry
        Files.write(zip, bytes);
        try (ZarrArray array = engine.openArray(zip)) {
            CorruptChunkException e =
                    assertThrows(
                            CorruptChunkException.class, () -> array.read(Selection.of("0, 0")));
            assertTrue(e.getMessage().startsWith(zip + "/c/0/0: " + problem), e::getMessage);
            array.read(Selection.of("30, 0")).close(); // a missing chunk
        }
    }

    @Test
    void refusesOtherCompressionMethods() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("chunks"));
        Path zip = folder.resolve("other.zip");
        ZipFiles.zip(chunks.path(), zip, ZipEntry.STORED);
        byte[] bytes = Files.readAllBytes(zip);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.indexOf("PK\1\2") + 10] = 12; // bzip2
        Files.write(zip, bytes);
        try (ZarrArray array = engine.openArray(zip)) {
            StoreException e =
                    assertThrows(StoreException.class, () -> array.read(Selection.of("0, 0")));
            assertEquals(
                    zip
                            + "/c/0/0: is compressed in the zip file (method 12), which is not"
                            + " supported; stored (zip -0) and deflated files are",
                    e.getMessage());
        }
    }

    /** The zip file is the result of {@code zip -0 -r a.zip root}. */
    @Test
    void namesTheContentOfAZipFileOfTheFolderItself() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("outer/root.zarr"));
        Path zip = zip(folder.resolve("outer"));
        for (Path holder : List.of(zip, folder.resolve("outer"))) {
            NodeNotFoundException e =
                    assertThrows(NodeNotFoundException.class, () -> engine.open(holder));
            assertTrue(e.getMessage().endsWith("; below it are root.zarr"), e::getMessage);
        }
        assertReads(engine, zip.resolve("root.zarr"), chunks);
    }

    @Test
    void refusesToWriteToAZipFile() throws IOException {
        SampleArray chunks = writeChunks(folder.resolve("chunks"));
        Path zip = zip(chunks.path());
        byte[] before = Files.readAllBytes(zip);
        for (Runnable writes :
                List.<Runnable>of(
                        () -> engine.openWriter(zip),
                        () -> engine.createArray(zip.resolve("new"), chunks.metadata()),
                        () -> engine.createArray(zip, chunks.metadata()),
                        () -> engine.createGroup(zip, new GroupMetadata(Map.of())))) {
            ZarrException e = assertThrows(ZarrException.class, writes::run);
            assertTrue(e.getMessage().startsWith(zip.toString()), e::getMessage);
        }
        assertArrayEquals(before, Files.readAllBytes(zip));
    }

    @Test
    void refusesAFileThatIsNoZipFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        NodeNotFoundException e =
                assertThrows(NodeNotFoundException.class, () -> engine.open(file));
        assertTrue(e.getMessage().startsWith(file + ": is a file; a node is"), e::getMessage);
        assertInstanceOf(
                NodeNotFoundException.class,
                assertThrows(ZarrException.class, () -> engine.open(file.resolve("below"))));
    }
}
