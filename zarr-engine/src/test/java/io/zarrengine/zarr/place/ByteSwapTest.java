package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Byte swaps in mapped memory. {@link ScatterTest} compares the copied bytes. */
final class ByteSwapTest {
    private static final int FILE_BYTES = 16 << 12;
    private static final int LEFT_BYTES = 3 << 12;
    private static final int COMPILED_AFTER = 30_000; // calls until C2 compiles

    @TempDir private Path folder;

    /**
     * The JVM would die if the compiler had made vectors of the loops
     * (docs/decisions/sigbus-handler.md).
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void survivesThatAMappedFileIsCut(int unit) throws IOException {
        Path path = folder.resolve("mapped");
        Files.write(path, new byte[FILE_BYTES]);
        try (Arena arena = Arena.ofShared();
                FileChannel file =
                        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment mapped = file.map(MapMode.READ_ONLY, 0, FILE_BYTES, arena);
            MemorySegment target = arena.allocate(FILE_BYTES);
            for (int i = 0; i < COMPILED_AFTER; i++) {
                ByteSwap.copy(unit, mapped, 0, target, 0, 512);
            }
            file.truncate(LEFT_BYTES);
            assertThrows(
                    InternalError.class,
                    () -> {
                        ByteSwap.copy(unit, mapped, 0, target, 0, FILE_BYTES);
                        assertTrue(Files.exists(path)); // The error comes at a later call.
                    });
        }
    }
}
