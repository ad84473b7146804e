package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Zip files of all kinds, and the errors of broken ones, wherever the zip file is. */
abstract class ZipStoreContract {
    @TempDir Path folder;
    Path file; // a new zip file is written here

    @BeforeEach
    final void setFile() {
        file = folder.resolve("a.zip");
    }

    /** {@return the path by which the store knows the zip file} */
    abstract Path zip();

    /** {@return the store of the zip file as it is now} */
    abstract Store store();

    /** {@return bytes of a chunk} */
    abstract byte[] read(ChunkLocation chunk) throws IOException;

    /** {@return what {@link Store#chunk} opens files with} */
    abstract Store.FileOpener opener();

    final String text(Store store, String name) {
        return new String(
                store.document(zip().resolve(name)).orElseThrow(), StandardCharsets.UTF_8);
    }

    final byte[] chunk(Store store, String name) throws IOException {
        ChunkLocation found = store.chunk(zip().resolve(name), opener()).orElseThrow();
        try {
            assertEquals(zip().resolve(name), found.path());
            return read(found);
        } finally {
            found.file().release();
        }
    }

    /** Leading bytes, as of a program, and a comment, which may look like an end record. */
    @ParameterizedTest(name = "before \"{0}\", 64 bits: {1}, comment \"{2}\"")
    @CsvSource({
        "'',false,''",
        "'',true,''",
        "program,false,text",
        "program,true,PK\5\6",
        "'',false,PK\5\6"
    })
    void findsWhatIsInside(String before, boolean is64, String comment) throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, before, is64)) {
            bytes.add("zarr.json", "{}").add("c/0/1", "a chunk").add("empty", "").end(comment);
        }
        Store store = store();
        assertInstanceOf(ZipStore.class, store);
        assertEquals("{}", text(store, "zarr.json"));
        assertArrayEquals("a chunk".getBytes(StandardCharsets.UTF_8), chunk(store, "c/0/1"));
        assertEquals(Optional.empty(), store.chunk(zip().resolve("c/0/0"), opener()));
        assertEquals(Optional.empty(), store.document(zip().resolve("c/zarr.json")));
        assertEquals("", text(store, "empty"));
        assertTrue(store.isFolder(zip()) && store.isFolder(zip().resolve("c")));
        assertFalse(store.isFolder(zip().resolve("c/0/1")) || store.isFile(zip().resolve("c")));
        assertEquals(new ChunkFileSizes(1, 7, 0, 0), store.sizes(zip().resolve("c"), 2, _ -> true));
    }

    /** The file has 6 GB, but takes a few pages on the disk. */
    @Test
    void findsEntriesBeyondFourGigabytes() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", true)) {
            bytes.add("first", "1").skip(6L << 30).add("c/0", "far").end("");
        }
        assertArrayEquals("far".getBytes(StandardCharsets.UTF_8), chunk(store(), "c/0"));
    }

    /** zarr-python's zip files are like this, because they only grow. */
    @Test
    void readsTheLastEntryOfAName() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("zarr.json", "old").add("c", "chunk").add("zarr.json", "new").end("");
        }
        assertEquals("new", text(store(), "zarr.json"));
    }

    @Test
    void listsEachNameOnce() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            for (String name :
                    List.of("a", "a/", "a/x", "a/y/z", "a-b", "a0", "b", "a//u", "../up", "n\0n")) {
                bytes.add(name, "text");
            }
            bytes.end("");
        }
        Store store = store();
        List<String> all = new ArrayList<>(names(store, zip()));
        all.remove("n\0n"); // An object may have this name, a file not.
        assertEquals(List.of("a", "a-b", "a0", "b"), all);
        assertEquals(1, store.entries(zip(), 1).size());
        assertEquals(List.of("x", "y"), names(store, zip().resolve("a")));
        assertEquals(List.of(), names(store, zip().resolve("nothing")));
    }

    static List<String> names(Store store, Path path) {
        return store.entries(path, Long.MAX_VALUE).stream()
                .map(entry -> entry.getFileName().toString())
                .toList();
    }

    @Test
    void countsManyEntries() throws IOException {
        int count = 70_000; // more than a 16-bit count
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            for (int i = 0; i < count; i++) {
                bytes.add("c/" + i, "");
            }
            bytes.end("");
        }
        assertEquals(new ChunkFileSizes(count, 0, 0, 0), store().sizes(zip(), 1, _ -> true));
    }

    @Test
    void refusesEncryptedEntries() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.flags = 1;
            bytes.add("zarr.json", "secret").end("");
        }
        Store store = store();
        StoreException e = assertThrows(StoreException.class, () -> text(store, "zarr.json"));
        assertEquals(zip() + "/zarr.json: is encrypted in the zip file", e.getMessage());
        assertThrows(IOException.class, () -> chunk(store, "zarr.json"));
    }

    @Test
    void refusesAMultipartFile() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.disk = 1;
            bytes.add("zarr.json", "{}").end("");
        }
        StoreException e = assertThrows(StoreException.class, this::store);
        assertEquals(zip() + ": is one of several parts of a zip file", e.getMessage());
    }

    @Test
    void comparesADocumentWithItsChecksum() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("zarr.json", "{\"a\": 1}").end("");
        }
        Store store = store();
        byte[] content = Files.readAllBytes(file);
        var modified = Files.getLastModifiedTime(file);
        content[50] ^= 1; // 30 bytes of a header, 9 of a name, 5 more
        Files.write(file, content);
        Files.setLastModifiedTime(file, modified);
        StoreException e = assertThrows(StoreException.class, () -> text(store, "zarr.json"));
        assertTrue(e.getMessage().startsWith(zip() + "/zarr.json: is damaged"), e::getMessage);
    }

    /** Its known offsets are those of the old file. */
    @Test
    void refusesAFileThatHasChanged() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("zarr.json", "{}").end("");
        }
        Store store = store();
        Files.write(file, new byte[1], StandardOpenOption.APPEND);
        StoreException e = assertThrows(StoreException.class, () -> text(store, "zarr.json"));
        assertTrue(e.getMessage().contains("has changed since it was "), e::getMessage);
        assertThrows(IOException.class, () -> chunk(store, "zarr.json"));
    }

    /** Each changed byte of headers, directory and end record is detected, or does no harm. */
    final void assertDamagedAreRefusedOrRead(boolean is64, int seed) throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "program", is64)) {
            bytes.add("zarr.json", "{}").add("c/0", "a chunk").end("comment");
        }
        byte[] whole = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> refused = new ArrayList<>();
        for (int at = 0; at < whole.length; at++) {
            for (byte wrong : new byte[] {-1, (byte) 0x7f, (byte) random.nextInt(256)}) {
                byte[] damaged = whole.clone();
                damaged[at] = wrong;
                Files.write(file, damaged);
                refused.addAll(refusal());
            }
        }
        assertTrue(refused.size() > 100, () -> "only refused: " + refused);
    }

    private List<String> refusal() {
        try {
            Store store = store();
            assertTrue(store.sizes(zip(), 1, _ -> true).bytes() >= 0);
            names(store, zip());
            store.document(zip().resolve("zarr.json"));
            if (store.isFile(zip().resolve("c/0"))) {
                chunk(store, "c/0");
            }
            return List.of();
        } catch (ZarrException | IOException e) {
            return List.of(e.getMessage());
        }
    }

    /** Bytes were added within a chunk, so that all offsets look as if others preceded the file. */
    @Test
    void refusesAFileWithBytesAddedInside() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("c/0", "01234567").add("zarr.json", "{}").end("");
        }
        byte[] whole = Files.readAllBytes(file);
        int inside = 30 + 3 + 4;
        byte[] longer = new byte[whole.length + 5];
        System.arraycopy(whole, 0, longer, 0, inside);
        System.arraycopy(whole, inside, longer, inside + 5, whole.length - inside);
        Files.write(file, longer);
        Store store = store();
        IOException e = assertThrows(IOException.class, () -> chunk(store, "c/0"));
        assertEquals("the zip file is damaged: it is not at byte 5", e.getMessage());
    }

    /** An entry whose offset is that of another entry is refused. */
    @Test
    void refusesAChunkAtTheOffsetOfAnother() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("c/0", "first").add("c/1", "other").end("");
        }
        byte[] whole = Files.readAllBytes(file);
        int second = 2 * (30 + 3 + 5 + 5) + 46 + 3; // in the directory
        whole[second + 42] = 0;
        Files.write(file, whole);
        Store store = store();
        assertArrayEquals("first".getBytes(StandardCharsets.UTF_8), chunk(store, "c/0"));
        IOException e = assertThrows(IOException.class, () -> chunk(store, "c/1"));
        assertEquals("the zip file is damaged: it is not at byte 0", e.getMessage());
    }

    @Test
    void refusesTruncatedFiles() throws IOException {
        try (ZipBytes bytes = new ZipBytes(file, "", true)) {
            bytes.add("zarr.json", "{}").end("");
        }
        byte[] whole = Files.readAllBytes(file);
        for (int bytes = 30; bytes < whole.length; bytes++) {
            Files.write(file, Arrays.copyOf(whole, bytes));
            StoreException e = assertThrows(StoreException.class, this::store);
            assertEquals(zip() + ": begins as a zip file, and does not end as one", e.getMessage());
        }
        for (int from = 1; from < whole.length; from++) {
            Files.write(file, Arrays.copyOfRange(whole, from, whole.length));
            try {
                store(); // Bytes that begin with an empty end record may be a zip file.
            } catch (StoreException e) {
                assertTrue(e.getMessage().startsWith(zip() + ": "), e::getMessage);
            }
        }
    }
}
