package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A read allocates little on the Java heap for each inner chunk: its share of flat tables and a few
 * small objects. Fails if a worker allocates an object for each row or each element, which would be
 * many times that.
 */
final class AllocationTest {
    private static final String EVENT = "jdk.ThreadAllocationStatistics";
    private static final long SIDE = 128; // 512 inner chunks of 16 * 16 * 16
    private static final long BYTES_MAX = 450;

    /** So many that what a worker allocates once, to link functions, does not count. */
    private static final int READS = 100;

    @TempDir private Path folder;

    @Test
    void allocatesLittleForAdjacentRows() throws IOException {
        assertFew(Selection.of("1:, 1:, 1:"), 1);
    }

    @Test
    void allocatesLittleForStridedElements() throws IOException {
        assertFew(Selection.of("::2, ::2, 1::2"), 1);
    }

    @Test
    void allocatesLittleForManyBoxesInTheSameChunks() throws IOException {
        assertFew(Selection.of("1:, 1:, 1:"), 4);
    }

    private void assertFew(Selection selection, int boxes) throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, SIDE, SIDE, SIDE)
                        .chunkShape(SIDE, SIDE, SIDE)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {16, 16, 16}, CodecSpec.bytes())))
                        .build();
        List<Selection> selections = Collections.nCopies(boxes, selection);
        Path file = folder.resolve("recording.jfr");
        long parts;
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                Recording recording = new Recording();
                Arena arena = Arena.ofShared()) {
            engine.createArray(folder.resolve("array"), metadata)
                    .writeAll((chunk, elements) -> elements.fill((byte) 1));
            try (ZarrArray array = engine.openArray(folder.resolve("array"))) {
                MemorySegment target = arena.allocate(array.bytesOf(selections));
                recording.enable(EVENT).with("period", "everyChunk");
                array.readAsync(selections, target).join(); // so that classes are loaded
                recording.start();
                long before = engine.metrics().chunksDecoded();
                for (int i = 0; i < READS; i++) {
                    array.readAsync(selections, target).join();
                }
                parts = boxes * (engine.metrics().chunksDecoded() - before);
                recording.stop();
                assertEquals(1, target.get(JAVA_BYTE, target.byteSize() - 1));
            }
            recording.dump(file);
        }
        long bytes = allocatedByWorkers(file);
        assertTrue(bytes <= BYTES_MAX * parts, () -> bytes + " bytes for " + parts + " parts");
    }

    private static long allocatedByWorkers(Path recording) throws IOException {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
            boolean isWorker =
                    event.getEventType().getName().equals(EVENT)
                            && event.getThread("thread").getJavaName().startsWith("zarr-engine");
            if (isWorker) {
                least = Math.min(least, event.getLong("allocated"));
                most = Math.max(most, event.getLong("allocated"));
            }
        }
        assertTrue(least < most, "the worker is there when the recording begins and ends");
        return most - least;
    }
}
