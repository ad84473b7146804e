package io.zarrengine.zarr.store;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the store of a path of a file system. */
public final class LocalStores {
    private LocalStores() {}

    /**
     * {@return the store of a path, which is a zip file if the path is one or leads into one}
     *
     * @param path an absolute path
     * @param backend reads files
     * @throws StoreException if a zip file cannot be read
     */
    public static Store of(Path path, ReadBackend backend) {
        Path there = path; // the closest existing path: itself or a parent
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there == null || !Files.isRegularFile(there)) {
            return FolderStore.INSTANCE;
        }
        Optional<ZipStore> zip = ZipFile.tryOpen(there, backend);
        return zip.isPresent() ? zip.get() : FolderStore.INSTANCE;
    }
}
