package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * New arrays: fails if a writer stores other elements than it was given, begins an array that it
 * cannot encode, or writes a chunk outside the grid.
 */
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

    /** The metadata names no codecs, so the default codecs must be writable. */
    @Test
    void writesOneChunkOfAnArrayWithoutCodecs() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, 3, 3).chunkShape(2, 2).build();
        write(engine.createArray(folder, metadata), (byte) 7, 1, 0);
        assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 7, 7, 0}, readAll());
    }

    @Test
    void refusesAChunkOutsideTheGrid() {
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

    /** Without dimensions, a check of each dimension checks nothing. */
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
        assertEquals("the elements have 2 bytes, a chunk has 3", e.getMessage());
    }

    private static void assertRefused(ArrayWriter writer, long... coordinates) {
        IndexOutOfBoundsException e =
                assertThrows(
                        IndexOutOfBoundsException.class,
                        () -> write(writer, (byte) 1, coordinates));
        assertEquals(
                "chunk "
                        + Arrays.toString(coordinates)
                        + " is not in the grid of chunks, whose shape is "
                        + Arrays.toString(writer.gridShape()),
                e.getMessage());
    }

    private static ArrayMetadata.Builder builder(CodecSpec... codecs) {
        ArrayMetadata.Builder builder = ArrayMetadata.builder(NumericType.INT16, 12).chunkShape(2);
        return codecs.length == 0 ? builder : builder.codecs(List.of(codecs));
    }

    /** The worker's memory still holds the previous chunk. */
    @Test
    void writesTheFillValueWhereTheSourceWritesNothing() {
        byte[] fill =
                ByteBuffer.allocate(2).order(ByteOrder.nativeOrder()).putShort((short) -7).array();
        Path path = folder.resolve("array");
        engine.createArray(path, builder(CodecSpec.bytes()).fillValue(fill).build())
                .writeAll((chunk, elements) -> {
                    if (chunk[0] % 2 == 0) {
                        elements.set(JAVA_SHORT, 0, (short) (chunk[0] + 1));
                    }
                });
        try (ZarrArray array = engine.openArray(path);
                HostTensor tensor = array.read(Selection.all())) {
            short[] expected = {1, -7, -7, -7, 3, -7, -7, -7, 5, -7, -7, -7};
            assertArrayEquals(expected, tensor.segment().toArray(JAVA_SHORT));
        }
        assertFalse(Files.exists(path.resolve("c/1")), "it holds nothing but the fill value");
    }

    /** An array without chunks would read as fill values. */
    @Test
    void createsNothingWhenTheCodecsCannotEncode() {
        var blosc =
                new CodecSpec(
                        "blosc",
                        Map.of(
                                "cname",
                                "lz4",
                                "clevel",
                                5,
                                "shuffle",
                                "noshuffle",
                                "blocksize",
                                0));
        CodecSpec sharded = CodecSpec.sharding(new long[] {1}, CodecSpec.bytes(), blosc);
        for (CodecSpec[] codecs :
                List.of(new CodecSpec[] {CodecSpec.bytes(), blosc}, new CodecSpec[] {sharded})) {
            Path path = folder.resolve("array");
            ArrayMetadata metadata = builder(codecs).build();
            var e = assertThrows(FormatException.class, () -> engine.createArray(path, metadata));
            assertTrue(e.getMessage().contains("only read: blosc"), e::getMessage);
            assertFalse(Files.exists(path));
        }
    }

    /** The configuration uses Java's own number types, as people write it. */
    @Test
    void acceptsACodecConfigurationWithJavaNumbers() {
        Path path = folder.resolve("array");
        var gzip = new CodecSpec("gzip", Map.of("level", 5));
        assertEquals(CodecSpec.gzip(5), gzip);
        engine.createArray(path, builder(CodecSpec.bytes(), gzip).build())
                .writeAll((chunk, elements) -> elements.fill((byte) chunk[0]));
        try (ZarrArray array = engine.openArray(path);
                HostTensor tensor = array.read(Selection.of("2:6"))) {
            byte[] expected = {1, 1, 1, 1, 2, 2, 2, 2};
            assertArrayEquals(expected, tensor.segment().toArray(JAVA_BYTE));
        }
    }

    /** Making chunks may take hours. */
    @Test
    void startsNoChunkAfterAnInterrupt() {
        AtomicInteger filled = new AtomicInteger();
        Thread caller = Thread.currentThread();
        ArrayWriter writer = engine.createArray(folder.resolve("a"), builder().build());
        var e =
                assertThrows(
                        CancellationException.class,
                        () ->
                                writer.writeAll((chunk, elements) -> {
                                    filled.incrementAndGet();
                                    caller.interrupt();
                                    LockSupport.parkNanos(200_000_000);
                                }));
        assertEquals("interrupted", e.getMessage());
        assertTrue(Thread.interrupted());
        assertTrue(filled.get() < 6, "all were made, though in vain");
    }

    @Test
    void keepsTheOldChunkWhenWritingIsInterrupted() throws IOException {
        ArrayWriter writer =
                engine.createArray(folder, ArrayMetadata.builder(NumericType.UINT8, 3).build());
        write(writer, (byte) 3, 0);
        Thread.currentThread().interrupt();
        var e = assertThrows(CancellationException.class, () -> write(writer, (byte) 4, 0));
        assertTrue(Thread.interrupted());
        assertEquals("interrupted", e.getMessage());
        Thread.currentThread().interrupt();
        assertThrows(
                CancellationException.class, () -> write(writer, (byte) 0, 0), "the fill value");
        assertTrue(Thread.interrupted());
        assertArrayEquals(new byte[] {3, 3, 3}, readAll());
        try (Stream<Path> files = Files.list(folder.resolve("c"))) {
            assertEquals(List.of(folder.resolve("c/0")), files.toList(), "something is left");
        }
    }

    @Test
    void namesTheAttributeThatCannotBeWrittenAndItsFile() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT8, 3)
                        .attributes(Map.of("a", Double.NaN))
                        .build();
        var e = assertThrows(FormatException.class, () -> engine.createArray(folder, metadata));
        String begin = folder.resolve("zarr.json") + ": attributes.a ";
        assertTrue(e.getMessage().startsWith(begin), e::getMessage);
    }

    @Test
    void namesAFileThatLiesWhereAFolderMustBe() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        ArrayMetadata metadata = ArrayMetadata.builder(NumericType.INT8, 3).build();
        var e = assertThrows(StoreException.class, () -> engine.createArray(file, metadata));
        assertEquals(file + ": is there already", e.getMessage());
    }

    /**
     * Also at an odd offset in an array of bytes, and in another order than C, as shards have it.
     */
    @Test
    void writesElementsFromTheHeap() {
        CodecSpec inner = CodecSpec.sharding(new long[] {1, 2}, CodecSpec.bytes());
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 2, 2)
                        .codecs(List.of(CodecSpec.transpose(1, 0), inner, CodecSpec.crc32c()))
                        .build();
        byte[] memory = {9, 1, 0, 2, 0, 3, 0, 4, 0};
        MemorySegment elements = MemorySegment.ofArray(memory).asSlice(1);
        engine.createArray(folder, metadata).writeChunk(new long[] {0, 0}, elements);
        assertArrayEquals(Arrays.copyOfRange(memory, 1, 9), readAll());
    }

    /**
     * A struct has its own byte order for each field in memory and in version 2 chunks; version 3
     * has one order for all.
     */
    @Test
    void refusesAStructOfVersion2() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Files.writeString(
                old.resolve(".zarray"),
                """
                {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": [["a", ">i4"]],
                 "order": "C", "fill_value": null, "filters": null, "compressor": null}
                """);
        ArrayMetadata metadata;
        try (ZarrArray array = engine.openArray(old)) {
            metadata = array.metadata();
        }
        Path path = folder.resolve("new");
        var e = assertThrows(FormatException.class, () -> engine.createArray(path, metadata));
        assertTrue(e.getMessage().contains("the field \"a\""), e::getMessage);
        assertFalse(Files.exists(path));
    }
}
