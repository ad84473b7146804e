package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Tests the arrays that nvCOMP reads and writes, and the results read from them. */
final class DecodeBatchTest {
    private static final int CHUNKS = 3; // odd: the statuses do not end at an 8-byte boundary
    private static final long DEVICE = 1 << 20;

    private final MemorySegment host = MemorySegment.ofArray(new long[100]);
    private final DecodeBatch batch = new DecodeBatch(host, new DeviceSlice(DEVICE, 800), CHUNKS);

    @Test
    void arraysFollowEachOther() {
        batch.add(new DeviceSlice(0x1000, 10), new DeviceSlice(0x9000, 100));
        batch.add(new DeviceSlice(0x2000, 20), new DeviceSlice(0xA000, 200));
        assertEquals(0x2000, host.get(JAVA_LONG, 8));
        assertEquals(20, host.get(JAVA_LONG, 24 + 8));
        assertEquals(200, host.get(JAVA_LONG, 48 + 8));
        assertEquals(0xA000, host.get(JAVA_LONG, 72 + 8));
        assertEquals(DEVICE + 24, batch.sourceBytes().address());
        assertEquals(DEVICE + 48, batch.capacities().address());
        assertEquals(DEVICE + 72, batch.targets().address());
        assertEquals(DEVICE + 96, batch.actualBytes().address());
        assertEquals(DEVICE + 120, batch.statuses().address());
        assertEquals(300, batch.decodedBytes());
        assertEquals(200, batch.chunkBytesMax());
    }

    /** Otherwise a chunk that the device did not process would count as decoded. */
    @Test
    void aChunkIsNotReachedUntilTheDeviceSaysSo() {
        add(100, 200);
        assertEquals(NvcompStatus.NOT_REACHED, batch.status(0));
        assertEquals(-1, batch.actualBytes(0));
        assertFalse(batch.isSound(0));
        assertFalse(batch.isDone());
    }

    /** Otherwise the batch would count as done before the device has seen it. */
    @Test
    void whatAnEarlierBatchLeftIsCleared() {
        host.fill((byte) 1);
        assertEquals(1 + (1 << 8), host.get(JAVA_SHORT, 136));
        new DecodeBatch(host, new DeviceSlice(DEVICE, 800), CHUNKS);
        assertEquals(0, host.get(JAVA_LONG, 136));
        assertEquals(0, host.get(JAVA_LONG, 144));
        assertEquals(152, DecodeBatch.bytes(CHUNKS));
    }

    @Test
    void aChunkIsSoundIfStatusAndSizeAre() {
        add(100, 200, 300);
        answer(0, 0, 100);
        answer(1, 12, 200);
        answer(2, 0, 299);
        assertTrue(batch.isSound(0));
        assertEquals(NvcompStatus.CANNOT_DECOMPRESS, batch.status(1));
        assertArrayEquals(new int[] {1, 2}, batch.failedChunks().toArray());
    }

    @Test
    void alignmentIsThatOfAllChunks() {
        batch.add(new DeviceSlice(16, 1), new DeviceSlice(8, 1));
        batch.add(new DeviceSlice(20, 1), new DeviceSlice(3, 1));
        assertTrue(batch.areSourcesAligned(4));
        assertFalse(batch.areSourcesAligned(8));
        assertTrue(batch.areTargetsAligned(1));
        assertFalse(batch.areTargetsAligned(2));
    }

    @Test
    void aClearedBatchIsEmpty() {
        add(100);
        batch.clear();
        assertEquals(0, batch.count());
        assertEquals(0, batch.decodedBytes());
        assertEquals(0, batch.chunkBytesMax());
        assertTrue(batch.areSourcesAligned(1 << 10));
        assertThrows(IndexOutOfBoundsException.class, () -> batch.status(0));
    }

    @Test
    void aFullBatchRefuses() {
        add(1, 2, 3);
        assertTrue(batch.isFull());
        assertThrows(IllegalStateException.class, () -> add(4));
    }

    @Test
    void memoryMustBeLargeEnough() {
        MemorySegment small = host.asSlice(0, DecodeBatch.bytes(CHUNKS) - 1);
        DeviceSlice device = new DeviceSlice(DEVICE, 800);
        assertThrows(IndexOutOfBoundsException.class, () -> new DecodeBatch(small, device, CHUNKS));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> new DecodeBatch(host, new DeviceSlice(DEVICE, 100), CHUNKS));
    }

    private void add(int... decodedBytes) {
        for (int bytes : decodedBytes) {
            batch.add(new DeviceSlice(64, 10), new DeviceSlice(64, bytes));
        }
    }

    private void answer(int chunk, int status, long actualBytes) {
        host.set(JAVA_LONG, 8L * (4 * CHUNKS + chunk), actualBytes);
        host.set(JAVA_INT, 8L * 5 * CHUNKS + 4L * chunk, status);
    }
}
