package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ZipFileTest extends ZipStoreContract {
    private ReadBackend backend;

    @BeforeEach
    void open() {
        backend = ReadBackend.best();
    }

    @AfterEach
    void close() {
        backend.close();
    }

    private void use(ReadBackend.Method method) {
        assumeTrue(ReadBackend.unavailabilityCause(method).isEmpty());
        backend.close();
        backend = ReadBackend.of(method);
    }

    @Override
    Path zip() {
        return file;
    }

    @Override
    Store store() {
        return LocalStores.of(file, backend);
    }

    @Override
    byte[] read(ChunkLocation chunk) throws IOException {
        return backend.read(chunk.file(), chunk.offset(), (int) chunk.bytes());
    }

    @Override
    Store.FileOpener opener() {
        return backend::open;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "PK"})
    void anotherFileIsNoZipFile(String text) throws IOException {
        Files.writeString(file, text);
        assertInstanceOf(FolderStore.class, store());
        assertInstanceOf(FolderStore.class, LocalStores.of(file.resolve("below"), backend));
        assertInstanceOf(FolderStore.class, LocalStores.of(folder.resolve("missing"), backend));
    }

    @ParameterizedTest(name = "64 bits: {0}, by {1}, seed {2}")
    @CsvSource({"false,PREADV,1", "true,PREADV,2", "true,FILE_CHANNEL,3"})
    void damagedOnesAreRefusedOrRead(boolean is64, ReadBackend.Method method, int seed)
            throws IOException {
        use(method);
        assertDamagedAreRefusedOrRead(is64, seed);
    }

    /** An interrupt would close a channel under the next reader. */
    @ParameterizedTest
    @EnumSource(
            value = ReadBackend.Method.class,
            names = {"PREADV", "FILE_CHANNEL"})
    void readsInAnInterruptedThread(ReadBackend.Method method) throws IOException {
        use(method);
        try (ZipBytes bytes = new ZipBytes(file, "", false)) {
            bytes.add("zarr.json", "{}").end("");
        }
        Thread.currentThread().interrupt();
        String text = text(store(), "zarr.json");
        assertTrue(Thread.interrupted(), "still interrupted");
        assertEquals("{}", text);
    }
}
