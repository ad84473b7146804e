package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single chunks: what is written where, and that nothing is written beside the grid. */
final class ArrayWriterTest {
    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static void write(ArrayWriter writer, byte element, long... coordinates) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment elements = arena.allocate(writer.chunkBytes(), Long.BYTES);
            writer.writeChunk(coordinates, elements.fill(element));
        }
    }

    private byte[] readAll() {
        try (ZarrArray array = engine.openArray(folder);
                HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().toArray(JAVA_BYTE);
        }
    }

    /** The description names no codecs: their default must be one that can be written. */
    @Test
    void writesOneChunkOfAnArrayWithoutCodecs() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 3, 3).chunkShape(2, 2).build();
        write(engine.createArray(folder, metadata), (byte) 7, 1, 0);
        assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 7, 7, 0}, readAll());
    }

    @Test
    void refusesAChunkBesideTheGrid() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 3, 3).chunkShape(2, 2).build();
        ArrayWriter writer = engine.createArray(folder, metadata);
        assertRefused(writer, -1, 0);
        assertRefused(writer, 0, 2);
        assertRefused(writer, 2, 0);
        assertRefused(writer);
        assertRefused(writer, 0);
        assertRefused(writer, 0, 0, 0);
        assertFalse(Files.exists(folder.resolve("c")), "something was written");
    }

    /** No dimension, so that a check of each dimension checks nothing. */
    @Test
    void anArrayWithoutDimensionsHasOneChunk() {
        ArrayWriter writer =
                engine.createArray(folder, ArrayMetadata.builder(NumericType.UINT8).build());
        assertRefused(writer, 5, -7);
        assertRefused(writer, 0);
        assertFalse(Files.exists(folder.resolve("c")), "something was written");
        write(writer, (byte) 3);
        assertArrayEquals(new byte[] {3}, readAll());
    }

    @Test
    void refusesElementsOfAnotherSize() {
        ArrayWriter writer =
                engine.createArray(folder, ArrayMetadata.builder(NumericType.UINT8, 3).build());
        MemorySegment elements = MemorySegment.ofArray(new byte[2]);
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> writer.writeChunk(new long[] {0}, elements));
        assertEquals("2 bytes, a chunk has 3", e.getMessage());
    }

    private static void assertRefused(ArrayWriter writer, long... coordinates) {
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> write(writer, (byte) 1, coordinates));
        assertEquals(
                "chunk "
                        + Arrays.toString(coordinates)
                        + " of a grid "
                        + Arrays.toString(writer.gridShape()),
                e.getMessage());
    }
}
