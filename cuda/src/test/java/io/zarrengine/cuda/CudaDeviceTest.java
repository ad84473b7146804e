package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests devices, streams, events, memory and copies, on a device. */
@NeedsDevice
final class CudaDeviceTest {
    @Test
    void aDeviceSaysWhatItIs() throws IOException {
        Lab.run(lab -> {
            CudaDevice.Properties properties = lab.device.properties();
            assertTrue(properties.computeCapability() >= 75, properties::toString);
            assertTrue(properties.multiprocessors() > 0);
            assertTrue(properties.hasMemoryPools());
            assertTrue(lab.device.freeBytes() <= properties.memoryBytes());
            assertTrue(lab.device.loss().isEmpty());
        });
    }

    @Test
    void aDeviceThatIsNotThereIsNamed() {
        CudaException failure = assertThrows(CudaException.class, () -> CudaDevice.open(1000));
        assertEquals(CudaError.INVALID_DEVICE, failure.error());
        assertEquals("cudaSetDevice", failure.call());
    }

    @Test
    void copiesThereAndBackAreTheSame() throws IOException {
        byte[] bytes = new byte[1_000_003];
        new Random(1).nextBytes(bytes);
        Lab.run(lab -> {
            try (Allocation there = lab.pool.allocate(bytes.length, lab.stream)) {
                lab.stream.set(there.slice(), (byte) 7);
                lab.upload(bytes, there.slice());
                assertArrayEquals(bytes, lab.download(there.slice().slice(0, bytes.length)));
            }
        });
    }

    @ParameterizedTest(name = "in one call: {0}")
    @ValueSource(booleans = {true, false})
    void aBatchCopiesEveryPart(boolean isOneCall) throws IOException {
        int copies = 100;
        int stride = 1009;
        Lab.run(lab -> {
            MemorySegment source = lab.pinned.asSlice(0, (long) copies * stride);
            byte[] bytes = new byte[copies * stride];
            new Random(2).nextBytes(bytes);
            source.copyFrom(MemorySegment.ofArray(bytes));
            byte[] expected = new byte[copies * stride];
            try (Allocation target = lab.pool.allocate(bytes.length, lab.stream);
                    CopyBatch batch = new CopyBatch(lab.device, copies, isOneCall)) {
                lab.stream.set(target.slice(), (byte) 0);
                for (int i = 0; i < copies; i++) {
                    int from = i * stride;
                    batch.add(
                            source.asSlice(from, 1 + i * 10L), target.slice().slice(from, stride));
                    System.arraycopy(bytes, from, expected, from, 1 + i * 10);
                }
                assertTrue(batch.isFull());
                batch.submit(lab.stream);
                assertEquals(0, batch.count());
                lab.stream.synchronize(); // the download reuses the source's memory
                assertArrayEquals(expected, lab.download(target.slice().slice(0, bytes.length)));
            }
        });
    }

    /** Without the wait the second stream would read the memory before it is set. */
    @Test
    void aStreamWaitsForAnEventOfAnother() throws IOException {
        Lab.run(lab -> {
            int bytes = 8 << 20;
            try (CudaStream other = CudaStream.open(lab.device);
                    CudaEvent isSet = CudaEvent.openTimed(lab.device);
                    CudaEvent isRead = CudaEvent.openTimed(lab.device);
                    Allocation memory = lab.pool.allocate(bytes, lab.stream)) {
                lab.stream.set(memory.slice(), (byte) 3);
                isSet.record(lab.stream);
                other.waitFor(isSet);
                other.copyToHost(memory.slice(), lab.pinned);
                isRead.record(other);
                while (!isRead.isDone()) {
                    Thread.onSpinWait();
                }
                assertEquals(-1, mismatch(lab.pinned.asSlice(0, bytes), (byte) 3));
                assertTrue(isRead.millisSince(isSet) >= 0);
            }
        });
    }

    private static long mismatch(MemorySegment memory, byte value) {
        byte[] expected = new byte[Math.toIntExact(memory.byteSize())];
        Arrays.fill(expected, value);
        return MemorySegment.ofArray(expected).mismatch(memory);
    }

    @Test
    void aPoolStaysWithinItsBudget() throws IOException {
        Lab.run(lab -> {
            long half = Lab.POOL_BYTES / 2;
            for (int round = 0; round < 20; round++) {
                try (Allocation a = lab.pool.allocate(half, lab.stream);
                        Allocation b = lab.pool.allocate(half, lab.stream)) {
                    assertThrows(
                            DeviceBudgetException.class, () -> lab.pool.allocate(1, lab.stream));
                    lab.stream.set(a.slice(), (byte) 1);
                    lab.stream.set(b.slice(), (byte) 2);
                }
            }
            lab.stream.synchronize();
            assertEquals(0, lab.pool.usedBytes());
            assertTrue(lab.pool.reservedBytes() <= Lab.POOL_BYTES);
        });
    }

    @Test
    void memoryOfAnotherThreadIsRefused() throws IOException {
        Lab.run(lab -> {
            Throwable[] failure = {null};
            Thread other =
                    Thread.ofPlatform()
                            .start(() ->
                                    failure[0] =
                                            assertThrows(
                                                    WrongThreadException.class,
                                                    lab.stream::synchronize));
            join(other);
            assertTrue(failure[0] instanceof WrongThreadException);
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aRingCopiesFromItsSlots() throws IOException {
        Lab.run(lab -> {
            try (PinnedSlots slots = PinnedSlots.open(lab.device, 4, 1 << 20);
                    Allocation target = lab.pool.allocate(4 << 20, lab.stream)) {
                for (int i = 0; i < 4; i++) {
                    try (PinnedSlots.Slot slot = slots.tryTake().orElseThrow()) {
                        slot.segment().fill((byte) (i + 1));
                        lab.stream.copyToDevice(
                                slot.segment(), target.slice().slice((long) i << 20, 1 << 20));
                        lab.stream.synchronize(); // before the slot is free again
                    }
                }
                byte[] copied = lab.download(target.slice().slice(0, 4 << 20));
                for (int i = 0; i < copied.length; i += 4096) {
                    assertEquals((i >> 20) + 1, copied[i]);
                }
            }
        });
    }

    /** The exception of a failed call names it, and the device still works. */
    @Test
    void aRefusedCallDoesNotLoseTheDevice() throws IOException {
        Lab.run(lab -> {
            CudaException refusal = assertThrows(CudaException.class, () -> noKernel(lab.device));
            assertTrue(refusal.call().startsWith("cudaLibrary"), refusal::getMessage);
            assertTrue(lab.device.loss().isEmpty());
            ChunkKernels.open(lab.device).close();
            lab.stream.synchronize();
        });
    }

    private static void noKernel(CudaDevice device) throws CudaException {
        try (KernelImage image = KernelImage.open(device, new byte[4096])) {
            image.kernel("zarr_place");
        }
    }
}
