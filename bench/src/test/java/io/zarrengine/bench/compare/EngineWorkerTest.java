package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catches a worker that reads other crops, counts other bytes, or dies of an invalid command. */
final class EngineWorkerTest {
    private static final int LENGTH = 64;

    @TempDir private Path folder;

    private WorkerProcess start() throws IOException {
        Path absent = folder.resolve("absent");
        return WorkerProcess.start(
                new WorkerCommands(absent, absent, absent, absent, "", "").engineCommand());
    }

    @BeforeEach
    void writeAnArray() throws IOException {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, LENGTH)
                        .chunkShape(16)
                        .codecs(List.of(CodecSpec.bytes()))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(folder.resolve("a.zarr"), metadata)
                    .writeAll((chunk, elements) -> {
                        for (int i = 0; i < 16; i++) {
                            elements.set(ValueLayout.JAVA_BYTE, i, (byte) (16 * chunk[0] + i + 1));
                        }
                    });
        }
        new CropList(List.of("3:30", "10:64", "0:1")).write(folder.resolve("crops.txt"));
    }

    private void open(WorkerProcess worker, String... options) throws IOException {
        worker.open("a", folder.resolve("a.zarr"), folder.resolve("crops.txt"), List.of(options));
    }

    @Test
    void writesTheCropsInTheirOrder() throws IOException {
        try (WorkerProcess worker = start()) {
            open(worker, "in_flight=2", "workers=2");
            assertArrayEquals(elements(3, 30, 10, 64, 0, 1), written(worker, 0));
            assertArrayEquals(elements(3, 30, 10, 64), written(worker, 2));
            assertArrayEquals(elements(3, 30, 10, 64, 0, 1, 3, 30), written(worker, 4));
        }
    }

    @Test
    void listsDeliverTheSame() throws IOException {
        try (WorkerProcess worker = start()) {
            open(worker, "in_flight=2", "list=2");
            assertArrayEquals(elements(3, 30, 10, 64, 0, 1), written(worker, 0));
            assertArrayEquals(elements(3, 30), written(worker, 1));
            assertArrayEquals(elements(3, 30, 10, 64, 0, 1, 3, 30, 10, 64), written(worker, 5));
        }
    }

    @Test
    void readsToMemoryOfTheirOwnDeliverTheSame() throws IOException {
        try (WorkerProcess worker = start()) {
            open(worker, "in_flight=2", "allocate=1");
            assertArrayEquals(elements(3, 30, 10, 64, 0, 1), written(worker, 0));
        }
    }

    @Test
    void aRunCountsWhatItDelivers() throws IOException {
        try (WorkerProcess worker = start()) {
            open(worker, "in_flight=2");
            WorkerProcess.Run run = worker.run("a", 0.01, 0);
            assertEquals(0, run.bytes() % (27 + 54 + 1));
            assertTrue(run.seconds() >= 0.01);
            assertEquals(27 + 54 + 1, worker.counters("a").bytesDelivered());
            assertTrue(worker.latency("a", 10).medianMicros() > 0);
            assertTrue(worker.peakMemory().residentBytes() > 1 << 20);
        }
    }

    @Test
    void anErrorIsAnAnswerAndTheWorkerGoesOn() throws IOException {
        try (WorkerProcess worker = start()) {
            WorkerException failure =
                    assertThrows(WorkerException.class, () -> open(worker, "telepathy=1"));
            assertTrue(failure.answer().contains("telepathy"), failure.answer());
            assertTrue(worker.version().startsWith("zarr-engine"));
        }
    }

    private byte[] written(WorkerProcess worker, int crops) throws IOException {
        Path file = folder.resolve("written");
        worker.write("a", crops, file);
        return Files.readAllBytes(file);
    }

    private static byte[] elements(int... ends) {
        ByteArrayOutputStream elements = new ByteArrayOutputStream();
        for (int i = 0; i < ends.length; i += 2) {
            for (int element = ends[i]; element < ends[i + 1]; element++) {
                elements.write(element + 1);
            }
        }
        return elements.toByteArray();
    }
}
