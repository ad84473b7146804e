package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Events of JDK Flight Recorder about reads and workers. Fails on a wrong count or a missing event.
 */
final class RecordingTest {
    private static final String READ = "io.zarrengine.Read";
    private static final String WORK = "io.zarrengine.Work";

    @TempDir private Path folder;

    /**
     * Ways to read: on the caller's or a worker's thread, through a queue or from a mapped file.
     */
    enum Way {
        CALLER,
        WORKERS,
        QUEUES
    }

    private interface Reads {
        void run() throws IOException;
    }

    private List<RecordedEvent> record(String name, Reads reads) throws IOException {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(READ).withoutThreshold();
            recording.enable(WORK).withoutThreshold();
            recording.start();
            reads.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private Path writeRaw() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 64, 64)
                        .chunkShape(32, 64)
                        .codecs(List.of(CodecSpec.sharding(new long[] {16, 16}, CodecSpec.bytes())))
                        .build();
        Path path = folder.resolve("array");
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, metadata)
                    .writeAll((chunk, elements) -> elements.fill((byte) 1));
        }
        return path;
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void recordsTheBytesOfARead(Way way) throws IOException {
        Path path = writeRaw();
        List<RecordedEvent> events =
                record(
                        READ,
                        () -> {
                            ZarrEngineBuilder builder = ZarrEngine.builder();
                            if (way == Way.QUEUES) {
                                builder.queues(queues -> WatchedReads.of(queues, read -> {}));
                            }
                            try (ZarrEngine engine = builder.open();
                                    ZarrArray array = engine.openArray(path)) {
                                Selection half = Selection.of(":, :8");
                                if (way == Way.CALLER) {
                                    array.read(half).close();
                                } else {
                                    array.readAsync(half).join().close();
                                }
                            }
                        });

        assertEquals(1, events.size());
        RecordedEvent event = events.getFirst();
        assertEquals(path.toString(), event.getString("array"));
        assertEquals(2, event.getLong("chunks"), "shards");
        assertEquals(64 * 8 * 2, event.getLong("targetBytes"));
        assertEquals(4 * 16 * 16 * 2, event.getLong("bytesDecoded"), "inner chunks");
        assertEquals(2.0, event.getFloat("amplification"));
        assertTrue(event.getLong("bytesRead") >= 4 * 16 * 16 * 2);
        assertTrue(event.getDuration("decodeTime").compareTo(Duration.ZERO) > 0);
        assertNull(event.getString("failure"));
    }

    @Test
    void recordsTheReasonOfAFailedRead() throws IOException {
        Path path = writeRaw();
        Files.write(path.resolve("c/0/0"), new byte[3]);
        List<RecordedEvent> events =
                record(
                        READ,
                        () -> {
                            try (ZarrEngine engine = ZarrEngine.open();
                                    ZarrArray array = engine.openArray(path)) {
                                assertThrows(
                                        CorruptChunkException.class,
                                        () -> array.read(Selection.all()));
                            }
                        });

        assertEquals(1, events.size());
        String failure = events.getFirst().getString("failure");
        assertTrue(failure.contains("c/0/0"), failure);
    }

    @Test
    void recordsTheTimesOfAWorkersRound() throws IOException {
        Path path = writeRaw();
        List<RecordedEvent> events =
                record(
                        WORK,
                        () -> {
                            try (ZarrEngine engine = ZarrEngine.builder().workers(1).open();
                                    ZarrArray array = engine.openArray(path)) {
                                array.readAsync(Selection.all()).join().close();
                            }
                        });

        assertFalse(events.isEmpty());
        Duration decoding = Duration.ZERO;
        for (RecordedEvent event : events) {
            Duration steps =
                    event.getDuration("planTime")
                            .plus(event.getDuration("readTime"))
                            .plus(event.getDuration("decodeTime"));
            assertTrue(steps.compareTo(event.getDuration()) <= 0, event::toString);
            decoding = decoding.plus(event.getDuration("decodeTime"));
        }
        assertTrue(decoding.compareTo(Duration.ZERO) > 0);
    }
}
