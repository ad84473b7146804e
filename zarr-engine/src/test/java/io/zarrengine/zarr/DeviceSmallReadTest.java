package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.errors.EngineClosedException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads so small that the host decodes them and one copy brings them to the device. */
@NeedsDevice
final class DeviceSmallReadTest {
    private static final Target DEVICE = Target.cuda(0);

    /** Two slots are for small reads; further ones go with the others. */
    private static final DeviceOptions OPTIONS =
            new DeviceOptions(256L << 20, 8, 256 << 10, 64, 4L << 20, 1000, 0);

    @TempDir Path folder;

    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = DeviceEngines.open(OPTIONS);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    static LongStream seeds() {
        long fresh = Long.getLong("io.zarrengine.seed", System.nanoTime());
        return LongStream.concat(LongStream.range(0, 10), LongStream.of(fresh));
    }

    private SampleArray write() {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, 60, 100)
                        .chunkShape(30, 50)
                        .codecs(
                                List.of(
                                        CodecSpec.sharding(
                                                new long[] {10, 10},
                                                CodecSpec.bytes(),
                                                CodecSpec.gzip(1))))
                        .build();
        return SampleArray.write(engine, folder.resolve("array"), metadata);
    }

    private static byte[] all(SampleArray sample) {
        long[] shape = sample.metadata().shape();
        return sample.expected(new BoxPositions(new long[2], shape, new long[] {1, 1}));
    }

    private static void assertHolds(byte[] expected, DeviceTensor tensor) {
        assertTrue(tensor.hostReason().isEmpty(), () -> tensor.hostReason().orElse(""));
        try (HostTensor copy = tensor.toHost()) {
            assertArrayEquals(expected, copy.segment().toArray(JAVA_BYTE));
        }
    }

    /** One after another, and many at once, of which most find no slot of their own. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RandomMetadata arrays = new RandomMetadata(random);
        ArrayMetadata metadata = arrays.next();
        SampleArray sample = SampleArray.write(engine, folder.resolve("array"), metadata);
        try (ZarrArray array = engine.openArray(sample.path())) {
            List<BoxPositions> boxes =
                    Stream.generate(() -> arrays.box(metadata.shape())).limit(12).toList();
            for (BoxPositions box : boxes) {
                try (DeviceTensor tensor = array.readAsync(box.selection(), DEVICE).join()) {
                    assertHolds(sample.expected(box), tensor);
                }
            }
            List<CompletableFuture<DeviceTensor>> reads =
                    boxes.stream().map(box -> array.readAsync(box.selection(), DEVICE)).toList();
            for (int i = 0; i < boxes.size(); i++) {
                try (DeviceTensor tensor = reads.get(i).join()) {
                    assertHolds(sample.expected(boxes.get(i)), tensor);
                }
            }
        }
    }

    /** No launch: a launch takes milliseconds. */
    @Test
    void oneCopyBringsIt() {
        SampleArray sample = write();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(all(sample), tensor);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertEquals(0, done.batches(), done::toString);
            assertEquals(tensor.byteSize(), done.bytesCopied(), done::toString);
        }
    }

    @Test
    void readsToMemoryOfTheCallers() {
        SampleArray sample = write();
        byte[] expected = all(sample);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor memory = array.readAsync(Selection.all(), DEVICE).join()) {
            long[] ones = {1, 1};
            Selection part = Selection.box(new long[] {5, 7}, new long[] {30, 41}, ones);
            Target target = DEVICE.into(memory.pointer() + 64, array.bytesOf(part));
            array.readAsync(part, target).join().close();
            byte[] box =
                    sample.expected(new BoxPositions(new long[] {5, 7}, new long[] {30, 41}, ones));
            System.arraycopy(box, 0, expected, 64, box.length);
            assertHolds(expected, memory);
            assertEquals(0, engine.deviceMetrics(0).batches());
        }
    }

    @Test
    void aChunkThatIsDamagedIsReportedAndTheNextReadIsRight() throws IOException {
        SampleArray sample = write();
        Path file = sample.path().resolve("c/1/1");
        byte[] bytes = Files.readAllBytes(file);
        byte[] damaged = bytes.clone();
        for (int i = 0; i < 500; i++) {
            damaged[i] ^= 0x55;
        }
        Files.write(file, damaged);
        try (ZarrArray array = engine.openArray(sample.path())) {
            for (int i = 0; i < 10; i++) { // More often than there are slots: each is given back.
                var failure =
                        assertThrows(
                                CompletionException.class,
                                () -> array.readAsync(Selection.all(), DEVICE).join());
                assertInstanceOf(CorruptChunkException.class, failure.getCause());
            }
        }
        Files.write(file, bytes);
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(all(sample), tensor);
            assertEquals(0, engine.deviceMetrics(0).batches());
        }
    }

    /** Half of the reads are cancelled, and then the engine is closed; every read ends. */
    @Test
    void cancelledAndClosedReadsEnd() {
        SampleArray sample = write();
        byte[] expected = all(sample);
        for (int round = 0; round < 10; round++) {
            ZarrEngine closed = DeviceEngines.open(OPTIONS);
            ZarrArray array = closed.openArray(sample.path());
            List<CompletableFuture<DeviceTensor>> reads = new ArrayList<>();
            for (int i = 0; i < 1 + 2 * round; i++) {
                reads.add(array.readAsync(Selection.all(), DEVICE));
                if (i % 2 == 1) {
                    reads.getLast().cancel(true);
                }
            }
            closed.close();
            for (CompletableFuture<DeviceTensor> read : reads) {
                endOf(read, expected);
            }
            array.close();
        }
    }

    private static void endOf(CompletableFuture<DeviceTensor> read, byte[] expected) {
        try (DeviceTensor tensor = read.join()) {
            assertHolds(expected, tensor); // A tensor outlives its engine.
        } catch (CancellationException e) {
            assertTrue(read.isCancelled());
        } catch (CompletionException e) {
            assertInstanceOf(EngineClosedException.class, e.getCause());
        }
    }

    /** It would go to a device whose thread has ended, and never come back. */
    @Test
    void aReadAfterTheEngineIsRefused() {
        SampleArray sample = write();
        try (ZarrArray array = engine.openArray(sample.path())) {
            array.readAsync(Selection.of("0:10, 0:10"), DEVICE).join().close();
            engine.close();
            assertThrows(
                    EngineClosedException.class,
                    () -> array.readAsync(Selection.of("0:10, 0:10"), DEVICE));
        }
    }
}
