package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Tests the differences from decode batches. {@link DecodeBatchTest} tests the arrays. */
final class EncodeBatchTest {
    private static final int CHUNKS = 4;

    private final MemorySegment host = MemorySegment.ofArray(new long[100]);
    private final EncodeBatch batch = new EncodeBatch(host, new DeviceSlice(1 << 20, 800), CHUNKS);

    /** Otherwise scratch memory and targets would be computed from the larger target sizes. */
    @Test
    void sizesAreThoseOfSources() {
        add(100, 500);
        add(300, 400);
        assertEquals(400, batch.decodedBytes());
        assertEquals(300, batch.chunkBytesMax());
        assertEquals(400, batch.targetBytesMin());
        batch.clear();
        add(10, 1000);
        assertEquals(1000, batch.targetBytesMin());
    }

    @Test
    void aChunkIsSoundIfItFits() {
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            add(100, 120);
        }
        assertFalse(batch.isSound(0), "not reached");
        answer(0, 0, 120);
        answer(1, 0, 121);
        answer(2, 0, 0);
        answer(3, NvcompStatus.CANNOT_COMPRESS.code(), 50);
        assertArrayEquals(new int[] {1, 2, 3}, batch.failedChunks().toArray());
    }

    @Test
    void anEmptyChunkIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> add(0, 100));
        assertEquals(0, batch.count());
    }

    private void add(long decodedBytes, long room) {
        batch.add(new DeviceSlice(64, decodedBytes), new DeviceSlice(4096, room));
    }

    private void answer(int chunk, int status, long actualBytes) {
        host.set(JAVA_LONG, 8L * (4 * CHUNKS + chunk), actualBytes);
        host.set(JAVA_INT, 8L * 5 * CHUNKS + 4L * chunk, status);
    }
}
