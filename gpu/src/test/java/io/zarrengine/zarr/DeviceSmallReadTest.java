package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static io.zarrengine.zarr.DeviceTensors.assertReadsAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads so small that the host decodes them and one copy brings them to the device. */
final class DeviceSmallReadTest extends DeviceReadContract {
    /** Small reads have two slots. Further ones take the normal path. */
    private static final DeviceOptions OPTIONS =
            new DeviceOptions(256L << 20, 8, 256 << 10, 64, 4L << 20, 1000, 0, 0, true, false);

    DeviceSmallReadTest() {
        super(OPTIONS);
    }

    private SampleArray gzipArray() {
        return SampleArray.writeShards(
                engine,
                folder.resolve("array"),
                NumericType.INT16,
                CodecSpec.bytes(),
                CodecSpec.gzip(1));
    }

    /** The contract reads in parallel, where most reads find no slot of their own. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void readsOneAfterAnother(long seed) {
        RandomMetadata arrays = new RandomMetadata(new SplittableRandom(seed));
        SampleArray sample = write(arrays.next());
        boxes(arrays, sample).forEach(box -> assertReads(sample, List.of(box)));
    }

    /** No launch is made, because one takes milliseconds. */
    @Test
    void oneCopyBringsIt() {
        SampleArray sample = gzipArray();
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), tensor);
            DeviceMetrics done = engine.deviceMetrics(0);
            assertEquals(0, done.batches(), done::toString);
            assertEquals(tensor.byteSize(), done.bytesCopied(), done::toString);
        }
    }

    @Test
    void readsToMemoryOfTheCallers() {
        SampleArray sample = gzipArray();
        byte[] expected = sample.all();
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
        SampleArray sample = gzipArray();
        try (DamagedFile _ = new DamagedFile(sample.path().resolve("c/1/1"));
                ZarrArray array = engine.openArray(sample.path())) {
            for (int i = 0; i < 10; i++) { // More often than there are slots: each is given back.
                var failure =
                        assertThrows(
                                CompletionException.class,
                                () -> array.readAsync(Selection.all(), DEVICE).join());
                assertInstanceOf(CorruptChunkException.class, failure.getCause());
            }
        }
        try (ZarrArray array = engine.openArray(sample.path());
                DeviceTensor tensor = array.readAsync(Selection.all(), DEVICE).join()) {
            assertHolds(sample.all(), tensor);
            assertEquals(0, engine.deviceMetrics(0).batches());
        }
    }

    /** Half of the reads are cancelled, and then the engine is closed. Every read ends. */
    @Test
    void cancelledAndClosedReadsEnd() {
        SampleArray sample = gzipArray();
        byte[] expected = sample.all();
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
            assertInstanceOf(ClosedException.class, e.getCause());
        }
    }

    /** A launch would take longer than the host takes for all of them. */
    @Test
    void aLargerReadOfFewChunksIsDecodedByTheHostToo() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        SampleArray sample =
                write(
                        ArrayMetadata.builder(NumericType.INT16, 400, 400)
                                .chunkShape(100, 100)
                                .codecs(List.of(CodecSpec.bytes(), CodecSpec.zstd(3)))
                                .build());
        try (ZarrArray array = engine.openArray(sample.path())) {
            assertReadsAll(array, sample.all());
        }
        DeviceMetrics done = engine.deviceMetrics(0);
        assertEquals(0, done.chunksDecoded(), done::toString);
        assertEquals(Map.of("few under way", 16L), done.chunksDecodedByHost());
    }

    /** It would be queued for a device thread that has ended, and never end. */
    @Test
    void aReadAfterTheEngineIsRefused() {
        SampleArray sample = gzipArray();
        try (ZarrArray array = engine.openArray(sample.path())) {
            array.readAsync(Selection.of("0:10, 0:10"), DEVICE).join().close();
            engine.close();
            assertThrows(
                    ClosedException.class,
                    () -> array.readAsync(Selection.of("0:10, 0:10"), DEVICE));
        }
    }
}
