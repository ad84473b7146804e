package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that are large enough to be mapped equal reads of an engine that reads all of them through
 * its queues.
 */
final class MappedReadTest {
    private static final long[] SHAPE = {2, 110, 70, 70}; // 2 shards of 1.08 MB

    @TempDir private Path folder;
    private ZarrEngine engine;
    private final AtomicInteger reads = new AtomicInteger();

    @BeforeEach
    void open() {
        assumeTrue(ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING).isEmpty());
        engine = WatchedReads.openCounting(reads);
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    private SampleArray write(String layout) {
        CodecSpec bytes =
                new CodecSpec("bytes", Map.of("endian", layout.contains("big") ? "big" : "little"));
        CodecSpec[] codecs =
                layout.contains("transposed")
                        ? new CodecSpec[] {CodecSpec.transpose(2, 0, 3, 1), bytes}
                        : layout.contains("gzip")
                                ? new CodecSpec[] {bytes, CodecSpec.gzip(0)}
                                : new CodecSpec[] {bytes};
        long[] inner =
                layout.contains("small")
                        ? new long[] {1, 5, 5, 10}
                        : layout.contains("large")
                                ? new long[] {1, 110, 70, 70}
                                : new long[] {1, 22, 35, 14};
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, SHAPE)
                        .chunkShape(1, 110, 70, 70)
                        .codecs(
                                layout.contains("plain")
                                        ? List.of(codecs)
                                        : List.of(CodecSpec.sharding(inner, codecs)))
                        .build();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({
        "plain, 1",
        "'plain, big-endian', 2",
        "'plain, transposed', 3",
        "inner, 4",
        "'inner, big-endian', 5",
        "'inner, transposed', 6",
        "'small inner', 7",
        "'small inner, big-endian', 8",
        "'large inner', 9",
        "'inner, gzip', 10",
    })
    void readsWhatQueuesRead(String layout, long seed) {
        SampleArray sample = write(layout);
        SplittableRandom random = new SplittableRandom(seed);
        try (ZarrEngine queued = ZarrEngine.builder().queues(queues -> queues).open();
                ZarrArray twin = queued.openArray(sample.path());
                ZarrArray array = engine.openArray(sample.path());
                Arena arena = Arena.ofShared()) {
            readAllOften(array);
            reads.set(0);
            for (int i = 0; i < 25; i++) {
                Selection selection = random(random);
                byte[] expected = new byte[(int) twin.bytesOf(selection)];
                twin.read(selection, MemorySegment.ofArray(expected));
                GuardedMemory target = new GuardedMemory(arena, expected.length);
                array.readAsync(selection, target.segment()).join();
                assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE));
                target.assertIntact();
                byte[] heap = new byte[expected.length];
                array.read(selection, MemorySegment.ofArray(heap));
                assertArrayEquals(expected, heap);
                // machine code does most of the copy
                try (HostTensor tensor = array.read(selection)) {
                    assertArrayEquals(expected, tensor.segment().toArray(JAVA_BYTE));
                }
            }
            assertEquals(0, reads.get(), "all of it was in memory");
        }
    }

    /** Reads until the shard indexes are known and the files are mapped. */
    private static void readAllOften(ZarrArray array) {
        // Without gaps, rows go straight to the target.
        Selection withGaps = Selection.of("..., ::2");
        for (int i = 0; i < 3; i++) {
            array.read(withGaps).close();
        }
    }

    private static Selection random(SplittableRandom random) {
        DimensionSelection[] parts = new DimensionSelection[SHAPE.length];
        for (int d = 0; d < SHAPE.length; d++) {
            long from = random.nextLong(SHAPE[d]);
            long to = from + 1 + random.nextLong(SHAPE[d] - from);
            parts[d] = DimensionSelection.slice(from, to, 1 + random.nextLong(2));
        }
        return Selection.orthogonal(parts);
    }

    /** Mapped pages vanish while many callers read them: only those reads fail, and say why. */
    @ParameterizedTest
    @CsvSource({"plain", "inner", "'inner, gzip'"})
    void aFileThatIsCutWhileItIsReadIsNamed(String layout) throws IOException {
        SampleArray sample = write(layout);
        try (ZarrArray array = engine.openArray(sample.path())) {
            readAllOften(array);
            List<CompletableFuture<HostTensor>> futures =
                    IntStream.range(0, 40)
                            .mapToObj(i -> {
                                if (i == 20) {
                                    cut(sample.path());
                                }
                                return array.readAsync(Selection.of("0"));
                            })
                            .toList();
            byte[] whole = sample.all();
            int refused = 0;
            for (CompletableFuture<HostTensor> future : futures) {
                try (HostTensor tensor = future.join()) {
                    byte[] read = tensor.segment().toArray(JAVA_BYTE);
                    assertEquals(
                            -1,
                            Arrays.mismatch(read, 0, read.length, whole, 0, read.length),
                            "a read that succeeded is right");
                } catch (CompletionException e) {
                    refused++;
                    CorruptChunkException cause = (CorruptChunkException) e.getCause();
                    assertTrue(cause.getMessage().contains("0/0/0/0"), cause::getMessage);
                    assertTrue(cause.getMessage().contains("the file ends"), cause::getMessage);
                }
            }
            assertTrue(refused >= 20, refused + " reads refused");
            array.read(Selection.of("1")).close(); // The other file is whole.
        }
    }

    private static void cut(Path array) {
        Path file = array.resolve("c/0/0/0/0");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(70_001);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The engine notices a target that its owner closes while it copies to it. */
    @Test
    void failsOnlyTheReadWhoseTargetIsClosed() {
        SampleArray sample = write("inner");
        try (ZarrArray array = engine.openArray(sample.path())) {
            long bytes = array.bytesOf(Selection.all());
            for (int i = 0; i < 20; i++) {
                Arena arena = Arena.ofShared();
                CompletableFuture<Void> read =
                        array.readAsync(Selection.all(), arena.allocate(bytes));
                NativeUse.closeArenaAfter(arena);
                try {
                    read.join();
                } catch (CompletionException e) {
                    assertEquals(IllegalStateException.class, e.getCause().getClass());
                }
            }
            assertThrows(
                    IndexOutOfBoundsException.class, () -> array.read(Selection.of("9")).close());
            try (HostTensor all = array.read(Selection.all())) {
                assertArrayEquals(sample.all(), all.segment().toArray(JAVA_BYTE));
            }
        }
    }
}
