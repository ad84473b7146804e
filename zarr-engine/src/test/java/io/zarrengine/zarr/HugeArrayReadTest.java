package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arrays whose byte counts exceed 63 bits, and results that do not fit in memory. Fails if a
 * product overflows or a refusal does not name the size.
 */
final class HugeArrayReadTest {
    private static final long CHUNK = 1L << 60;

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).budgetBytes(16 << 20).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    /** Writes an array with chunks of two elements, of which one chunk exists. */
    private ZarrArray write(long... shape) throws IOException {
        long[] chunk = new long[shape.length];
        Arrays.fill(chunk, 1);
        chunk[0] = 2;
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, shape)
                        .chunkShape(chunk)
                        .fillValue(new byte[] {9, 0, 0, 0})
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        engine.createArray(folder, metadata);
        StringBuilder key = new StringBuilder("c/" + CHUNK);
        for (int d = 1; d < shape.length; d++) {
            key.append("/0");
        }
        Path file = folder.resolve(key.toString());
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[] {1, 0, 0, 0, 2, 0, 0, 0});
        return engine.openArray(folder);
    }

    private static int[] read(ZarrArray array, Selection selection) {
        try (HostTensor tensor = array.read(selection)) {
            return tensor.segment().toArray(ValueLayout.JAVA_INT);
        }
    }

    @Test
    void readsASmallPartOfManyElements() throws IOException {
        long at = 2 * CHUNK;
        try (ZarrArray array = write(1L << 62)) {
            assertArrayEquals(
                    new int[] {9, 1, 2, 9}, read(array, Selection.of((at - 1) + ":" + (at + 3))));
            assertArrayEquals(
                    new int[] {2, 9}, read(array, Selection.of((at + 1) + "::" + (1L << 60))));
            assertArrayEquals(
                    new int[] {9, 2, 9, 1},
                    read(array, Selection.points(new long[] {-1, at + 1, 0, at})));
            assertArrayEquals(new int[] {2, 9}, read(array, Selection.of("[" + (at + 1) + ",-1]")));
            assertArrayEquals(new int[0], read(array, Selection.of("5:5")));
            assertEquals(Long.MAX_VALUE, array.storedSize().uncompressedBytes());
        }
    }

    @Test
    void readsASmallPartOfSeveralHugeDimensions() throws IOException {
        try (ZarrArray array = write(Long.MAX_VALUE / 3, 3)) {
            assertArrayEquals(new int[] {1, 9, 9}, read(array, Selection.of(2 * CHUNK + ",:")));
            assertArrayEquals(new int[0], read(array, Selection.of(":,3:")));
        }
    }

    /** Listed positions of the slice would fill the heap: 48 bytes for each. */
    @Test
    void readsAListBesideALongDimension() {
        long columns = 50_000_000;
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 3, columns)
                        .chunkShape(1, 10_000_000)
                        .fillValue(new byte[] {9})
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        engine.createArray(folder, metadata);
        try (ZarrArray array = engine.openArray(folder);
                HostTensor tensor = array.read(Selection.of("[2,0], :"))) {
            assertEquals(2 * columns, tensor.segment().byteSize());
            assertEquals(9, tensor.segment().get(ValueLayout.JAVA_BYTE, 2 * columns - 1));
        }
    }

    @Test
    void refusesAResultBeyond63Bits() throws IOException {
        try (ZarrArray array = write(1L << 62)) {
            String problem =
                    "the selection has 4611686018427387904 elements of 4 bytes, which do not fit in"
                            + " 63 bits: read smaller parts";
            List<Selection> twice = List.of(Selection.all(), Selection.all());
            MemorySegment small = MemorySegment.ofArray(new byte[100]);
            for (Executable read :
                    List.<Executable>of(
                            () -> array.read(Selection.all()).close(),
                            () -> array.read(Selection.all(), small),
                            () -> array.read(twice, small),
                            () -> array.bytesOf(Selection.all()))) {
                IllegalArgumentException e = assertThrows(IllegalArgumentException.class, read);
                assertEquals(problem, e.getMessage());
            }
        }
    }

    @Test
    void namesTheSizeOfAResultThatExceedsMemory() throws IOException {
        try (ZarrArray array = write(1L << 60)) {
            OutOfMemoryException e =
                    assertThrows(
                            OutOfMemoryException.class,
                            () -> array.read(Selection.of("1:")).close());
            String problem =
                    "the result int32[1152921504606846975] takes 4611686018427387900 bytes of"
                            + " memory, which cannot be had: select less at a time (";
            assertTrue(e.getMessage().startsWith(problem), e::getMessage);
        }
    }
}
