package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks larger than a slot: the host decodes them and sends them in blocks. */
@NeedsDevice
final class DeviceLargeChunkTest {
    private static final Target DEVICE = Target.cuda(0);
    private static final int SLOT_BYTES = 4096;

    @TempDir Path folder;

    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine =
                DeviceEngines.open(
                        new DeviceOptions(256L << 20, 8, SLOT_BYTES, 64, 4L << 20, 0, 0));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 20), LongStream.of(fresh));
    }

    /** Of all layouts and types; boxes with steps that begin and end anywhere in a block. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomMetadata arrays = new RandomMetadata(random);
        ArrayMetadata metadata = arrays.next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        assertReads(sample, boxes(arrays, metadata));
    }

    /** Blocks of one row of the third dimension, of 2 × 5 × 7 of them. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void cutsTheFirstDimensionWhoseRowsFit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomMetadata arrays = new RandomMetadata(random);
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT32, 4, 9, 13, 700)
                        .chunkShape(2, 5, 7, 700)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        assertReads(sample, boxes(arrays, metadata));
    }

    private static List<BoxPositions> boxes(RandomMetadata arrays, ArrayMetadata metadata) {
        List<BoxPositions> boxes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boxes.add(arrays.box(metadata.shape()));
        }
        return boxes;
    }

    private void assertReads(SampleArray sample, List<BoxPositions> boxes) {
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<CompletableFuture<DeviceTensor>> reads =
                    boxes.stream().map(box -> array.readAsync(box.selection(), DEVICE)).toList();
            for (int i = 0; i < boxes.size(); i++) {
                try (DeviceTensor tensor = reads.get(i).join();
                        HostTensor copy = tensor.toHost()) {
                    assertTrue(tensor.hostReason().isEmpty());
                    assertArrayEquals(
                            sample.expected(boxes.get(i)), copy.segment().toArray(JAVA_BYTE));
                }
            }
        }
    }

    /** A plane of 4 KiB of a chunk of 64 KiB: the other blocks stay on the host. */
    @Test
    void onlyWantedBlocksAreCopied() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 16, 64, 32)
                        .chunkShape(16, 64, 32)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.gzip(1)))
                        .build();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.of("5"), DEVICE).join()) {
            assertTrue(array.hostReason(Selection.all()).isEmpty());
            assertEquals(SLOT_BYTES, tensor.byteSize());
            assertEquals(SLOT_BYTES, engine.deviceMetrics(0).bytesCopied());
        }
    }
}
