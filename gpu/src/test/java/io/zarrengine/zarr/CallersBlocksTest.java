package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.OutOfMemoryException;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderBuilder;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.transform.Transform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader delivers to a few blocks of the caller's memory. The simulated device runs the streams
 * in an order at random, so that a missing order gives wrong bytes.
 */
@NeedsDevice
final class CallersBlocksTest extends CallersStreamSetup {
    private static final int STEPS = 8;
    private static final int BLOCKS = 3;

    /** Guards lie at both ends. */
    private static final int GUARD = 256;

    /** So much that the stream works longer than it takes to read and to transform a batch. */
    private static final int LONG_QUEUED = 20_000;

    private DeviceTensor memory;
    private long bytes; // of a batch

    @BeforeEach
    void allocate() {
        bytes = sample.all().length;
        memory = array.readAsync(Collections.nCopies(BLOCKS + 1, Selection.all()), DEVICE).join();
    }

    @AfterEach
    void free() {
        if (memory != null) {
            memory.close();
        }
    }

    private SegmentAllocator allocator(int blocks) {
        return SegmentAllocator.slicingAllocator(
                NativeHandle.ofForeign(memory.pointer() + GUARD, blocks * bytes));
    }

    private LoaderBuilder loader(boolean isTransformed) {
        Sampler all = Sampler.of(Collections.nCopies(STEPS, Selection.all()));
        LoaderBuilder options = Loader.of(Map.of("a", array), all);
        Transform same = Transform.identity().clip(-1e30, 1e30).cast(NumericType.INT32);
        return isTransformed ? options.output("x", "a", same) : options;
    }

    /** Queues long work in the stream, which writes to the first guard only. */
    private void queueLong() throws IOException {
        DeviceSlice first = new DeviceSlice(memory.pointer(), 1);
        device.thread()
                .call(() -> {
                    for (int i = 0; i < LONG_QUEUED; i++) {
                        stream.set(first, (byte) 0xA5);
                    }
                    return null;
                });
    }

    private static DeviceSlice slice(DeviceTensor tensor) {
        return new DeviceSlice(tensor.pointer(), tensor.byteSize());
    }

    private MemorySegment copy(int number) {
        return pinned.segment().asSlice(number * bytes, bytes);
    }

    private void await() throws IOException {
        device.thread()
                .call(() -> {
                    stream.synchronize();
                    return null;
                });
    }

    /** Fault: a block is written before the work that the caller has queued in its stream. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksAreWrittenAfterTheWorkOfTheStream(boolean isTransformed) throws IOException {
        queueLong();
        device.thread()
                .call(() -> {
                    stream.set(slice(memory), (byte) 0xA5);
                    return null;
                });
        Set<Long> places = new HashSet<>();
        List<Batch<DeviceTensor>> open = new ArrayList<>();
        Target target = DEVICE.after(stream.handle().address());
        try (Loader<DeviceTensor> loader =
                loader(isTransformed).prefetch(BLOCKS - 1).memory(allocator(BLOCKS)).open(target)) {
            for (int i = 0; i < BLOCKS; i++) { // all stay open until the stream has ended
                open.add(loader.take());
            }
            await();
            for (Batch<DeviceTensor> batch : open) {
                DeviceTensor tensor = batch.tensor();
                assertFalse(tensor.ownsMemory());
                assertHolds(sample.all(), tensor);
                places.add(tensor.pointer() - memory.pointer());
                batch.close();
            }
        }
        assertEquals(Set.of(GUARD + 0L, GUARD + bytes, GUARD + 2 * bytes), places);
        try (HostTensor after = memory.toHost()) {
            byte[] all = after.segment().toArray(JAVA_BYTE);
            byte[] guard = new byte[GUARD];
            Arrays.fill(guard, (byte) 0xA5);
            assertArrayEquals(guard, Arrays.copyOf(all, GUARD));
            int end = (int) (GUARD + BLOCKS * bytes);
            assertArrayEquals(guard, Arrays.copyOfRange(all, end, end + GUARD));
        }
    }

    /** Fault: a block is written again while the work on the former batch still reads it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksAreUsedAgainAfterTheWorkOnTheFormerBatch(boolean isTransformed) throws IOException {
        try (Loader<DeviceTensor> loader =
                loader(isTransformed).prefetch(1).memory(allocator(2)).open(DEVICE)) {
            for (int step = 0; step < STEPS; step++) {
                try (Batch<DeviceTensor> batch = loader.take()) {
                    DeviceTensor tensor = batch.tensor();
                    tensor.recordStream(stream.handle().address());
                    int first = step * (QUEUED / STEPS);
                    queueLong();
                    device.thread()
                            .call(() -> {
                                for (int i = first; i < first + QUEUED / STEPS; i++) {
                                    stream.copyToHost(slice(tensor), copy(i));
                                }
                                stream.set(slice(tensor), (byte) 0x5A); // the caller may write, too
                                return null;
                            });
                }
            }
        }
        await();
        for (int i = 0; i < STEPS * (QUEUED / STEPS); i++) {
            assertArrayEquals(sample.all(), copy(i).toArray(JAVA_BYTE), "copy " + i);
        }
    }

    /** Fault: a stream that captures a graph fails each later batch, or its block is written. */
    @Test
    void aBlockWaitsForTheEndOfACapture() throws IOException {
        long handle = stream.handle().address();
        try (Loader<DeviceTensor> loader =
                loader(false).prefetch(0).memory(allocator(1)).open(DEVICE)) {
            DeviceTensor tensor;
            try (Batch<DeviceTensor> batch = loader.take()) {
                tensor = batch.tensor();
                tensor.recordStream(handle);
                Captures.begin(device, handle);
            }
            DeviceTensors.assertReadsAll(array, sample.all()); // the device goes on
            assertFalse(tensor.whenUnused().isDone());
            Captures.end(device, handle);
            try (Batch<DeviceTensor> batch = loader.take()) {
                assertHolds(sample.all(), batch.tensor());
                assertTrue(tensor.whenUnused().isDone());
            }
        }
    }

    /** Fault: closing waits for a batch that waits for the caller's stream, which never ends. */
    @Test
    void closesWhileABatchWaitsForACapture() throws IOException {
        long handle = stream.handle().address();
        Loader<DeviceTensor> loader = loader(false).prefetch(1).memory(allocator(1)).open(DEVICE);
        try (Batch<DeviceTensor> batch = loader.take()) {
            batch.tensor().recordStream(handle);
            Captures.begin(device, handle);
        }
        loader.skip(); // the one that found no memory
        loader.close();
        Captures.end(device, handle);
    }

    /** Fault: the GPU writes to memory of the host, or of nobody. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refusesMemoryThatIsNotTheDevices(boolean isTransformed) {
        try (Arena arena = Arena.ofShared();
                Loader<DeviceTensor> loader = loader(isTransformed).memory(arena).open(DEVICE)) {
            for (int i = 0; i < 2; i++) {
                assertThrows(IllegalArgumentException.class, loader.iterator()::next);
            }
        }
    }

    /** Fault: a batch that found no memory when it was read ahead fails when there is some. */
    @Test
    void aBatchThatFoundNoMemoryIsReadAgain() {
        try (Loader<DeviceTensor> loader =
                loader(false).prefetch(2).memory(limited(allocator(2))).open(DEVICE)) {
            int step = 0;
            for (Batch<DeviceTensor> batch : loader) {
                assertHolds(sample.all(), batch.tensor());
                step++;
            }
            assertEquals(STEPS, step);
        }
    }

    /** Refuses as the memory of a machine does. */
    private static SegmentAllocator limited(SegmentAllocator memory) {
        return (size, alignment) -> {
            try {
                return memory.allocate(size, alignment);
            } catch (IndexOutOfBoundsException e) {
                throw OutOfMemoryException.ofResult("a batch", size, e);
            }
        };
    }
}
