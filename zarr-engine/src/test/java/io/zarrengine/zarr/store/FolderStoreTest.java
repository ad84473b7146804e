package io.zarrengine.zarr.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FolderStoreTest {
    /** For example, a network fails while the folder is listed. */
    @Test
    void namesAFolderThatCannotBeListed() {
        Path folder = Path.of("/far/group");
        Stream<Path> entries =
                Stream.generate(() -> {
                    throw new UncheckedIOException(new IOException("the network is down"));
                });
        StoreException e =
                assertThrows(StoreException.class, () -> FolderStore.entries(folder, entries));
        assertEquals("/far/group: the network is down", e.getMessage());
    }
}
