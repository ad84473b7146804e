package io.zarrengine.zarr.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObjectChunkTargetTest {
    /** Fault: an object that no Java array holds fails in words of Java, without its size. */
    @Test
    void refusesWhatNoArrayHolds(@TempDir Path folder) throws IOException {
        try (MemoryStore store = MemoryStore.create();
                Arena arena = Arena.ofConfined();
                FileChannel sparse =
                        FileChannel.open(
                                folder.resolve("zeros"),
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)) {
            MemorySegment large = sparse.map(FileChannel.MapMode.READ_WRITE, 0, 3L << 30, arena);
            ObjectChunkTarget target = new ObjectChunkTarget(store, "a/");
            var e = assertThrows(IOException.class, () -> target.put("c/0", large));
            assertEquals(
                    "has 3221225472 bytes; objects in memory have less than 2 GiB", e.getMessage());
            assertFalse(store.has("a/c/0"));
        }
    }
}
