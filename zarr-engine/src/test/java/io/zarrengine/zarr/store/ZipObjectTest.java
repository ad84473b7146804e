package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.AwaitedRead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ZipObjectTest extends ZipStoreContract {
    private FileObjects objects;
    private ObjectTree tree;

    @BeforeEach
    void open() {
        objects = new FileObjects(folder);
        tree = new ObjectTree(objects, Optional.empty());
    }

    @Override
    Path zip() {
        return tree.path("a.zip");
    }

    @Override
    Store store() {
        return tree.of(zip());
    }

    @Override
    byte[] read(ChunkLocation chunk) throws IOException {
        StoredObject object = (StoredObject) chunk.file();
        AwaitedRead read =
                AwaitedRead.range(
                        object.key(), chunk.offset(), (int) chunk.bytes(), object.versionToken());
        return BlockingObjectReads.get(objects, read).orElseThrow();
    }

    @Override
    Store.FileOpener opener() {
        return path -> {
            throw new AssertionError(path + " is no file");
        };
    }

    @ParameterizedTest(name = "64 bits: {0}, seed {1}")
    @CsvSource({"false,1", "true,2"})
    void damagedOnesAreRefusedOrRead(boolean is64, int seed) throws IOException {
        assertDamagedAreRefusedOrRead(is64, seed);
    }

    /** Fault: a folder with such a name, behind a server that has pages for folders, is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"", "text", "PK"})
    void anotherObjectIsNoZipFile(String text) throws IOException {
        Files.writeString(file, text);
        assertSame(tree, store());
        assertSame(tree, tree.of(zip().resolve("below")));
        assertSame(tree, tree.of(tree.path("missing.zip")));
        objects.reads.clear();
        assertSame(tree, tree.of(tree.path("folder/zip")));
        assertEquals(List.of(), objects.reads, "no name is that of a zip file");
    }

    /** Fault: a name in other letters, in the middle of a path, or of OME-Zarr, is not seen. */
    @ParameterizedTest
    @CsvSource({"a.zip,a.zip", "B.OZX,B.OZX/0/c", "a.zip,a.zip/b.zip/c"})
    void findsItOnTheWay(String name, String path) throws IOException {
        try (ZipBytes bytes = new ZipBytes(folder.resolve(name), "", false)) {
            bytes.add("zarr.json", "{}").end("");
        }
        assertInstanceOf(ZipStore.class, tree.of(tree.path(path)));
    }

    /**
     * Fault: a request for each part of the directory, a header, or a document that is not there.
     */
    @Test
    void opensByOneRequestAndReadsADocumentByOne() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "program", true)) {
            bytes.add("zarr.json", "{}").add("c/0", "a chunk").end("comment");
        }
        Store store = store();
        assertEquals(List.of("a.zip -131072 131072"), objects.reads);
        assertEquals("{}", text(store, "zarr.json"));
        assertEquals(Optional.empty(), store.document(zip().resolve(".zarray")));
        assertEquals(List.of("c", "zarr.json"), names(store, zip()));
        assertEquals(2, objects.reads.size(), objects.reads::toString);
    }

    /** Fault: a directory longer than the first request is read block by block. */
    @Test
    void readsALongDirectoryByTwoRequests() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            for (int i = 0; i < 40_000; i++) {
                bytes.add("some/longer/name/of/a/chunk/" + i, "");
            }
            bytes.add("last", "text").end("");
        }
        Store store = store();
        assertEquals(2, objects.reads.size(), objects.reads::toString);
        assertEquals(
                new ChunkFileSizes(40_000, 0, 0, 0),
                store.sizes(zip().resolve("some/longer"), 1, _ -> true));
        assertArrayEquals("text".getBytes(StandardCharsets.UTF_8), chunk(store, "last"));
    }

    /** Fault: the offsets of the old zip file are used in a new one of a store without ETags. */
    @Test
    void noticesAnotherSizeWithoutVersions() throws IOException {
        objects.knowsVersions = false;
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("zarr.json", "{}").end("");
        }
        Store store = store();
        Files.write(file, new byte[1], StandardOpenOption.APPEND);
        assertChanged(store, "now 124 bytes");
        Files.delete(file);
        assertChanged(store, "now removed");
    }

    private void assertChanged(Store store, String now) {
        StoreException e = assertThrows(StoreException.class, () -> text(store, "zarr.json"));
        assertTrue(e.getMessage().startsWith(zip() + "/zarr.json: the object has changed"));
        assertTrue(e.getMessage().contains(now), e::getMessage);
    }
}
