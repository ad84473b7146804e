package io.zarrengine.fuzz;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.store.ChunkLocation;
import io.zarrengine.zarr.store.LocalStores;
import io.zarrengine.zarr.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * The target for zip files: their directory, and each file in it as a document and as a chunk. It
 * may refuse an input only with a {@link StoreException}, or a chunk with an {@link IOException}.
 */
final class ZipTarget {
    private static final int ENTRIES_MAX = 100;

    private final ReadBackend backend = ReadBackend.of(ReadBackend.Method.PREADV);
    private final Path zip;

    private ZipTarget() {
        try {
            zip = Files.createTempFile("fuzz", ".zip");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        zip.toFile().deleteOnExit();
    }

    /** Creates the target on first use. */
    private static final class Instance {
        static final ZipTarget ZIP = new ZipTarget();
    }

    static void read(byte[] input) {
        Instance.ZIP.run(input);
    }

    private void run(byte[] input) {
        try {
            Files.write(zip, input);
            Store store = LocalStores.of(zip, backend);
            if (store.unwritable().isPresent()) { // otherwise not a zip file
                readAll(store, input.length);
            }
        } catch (StoreException e) {
            checkReason(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readAll(Store store, long zipBytes) {
        Queue<Path> folders = new ArrayDeque<>(List.of(zip));
        for (int count = 0; count < ENTRIES_MAX && !folders.isEmpty(); count++) {
            Path folder = folders.remove();
            if (store.sizes(folder, 1, _ -> true).bytes() < 0) {
                throw new IllegalStateException("a size overflows");
            }
            for (Path path : store.entries(folder, ENTRIES_MAX)) {
                if (!folder.equals(path.getParent())) {
                    throw new IllegalStateException(path + " is not in " + folder);
                }
                if (store.isFile(path)) {
                    readDocument(store, path);
                    findChunk(store, path, zipBytes);
                }
                if (store.isFolder(path)) {
                    folders.add(path);
                }
            }
        }
    }

    private void readDocument(Store store, Path path) {
        try {
            if (store.document(path).isEmpty()) {
                throw new IllegalStateException(path + " is listed, and not there");
            }
        } catch (StoreException e) {
            checkReason(e);
        }
    }

    private void findChunk(Store store, Path path, long zipBytes) {
        try {
            ChunkLocation chunk = store.chunk(path, backend::open).orElseThrow();
            chunk.file().release();
            boolean isInside =
                    chunk.offset() >= 0
                            && chunk.bytes() >= 0
                            && chunk.bytes() <= zipBytes - chunk.offset();
            if (!isInside) {
                throw new IllegalStateException(path + " is outside");
            }
        } catch (IOException e) {
            checkReason(e);
        }
    }

    private static void checkReason(Exception e) {
        if (e.getMessage().isBlank()) {
            throw new IllegalStateException("refused without a reason", e);
        }
    }
}
