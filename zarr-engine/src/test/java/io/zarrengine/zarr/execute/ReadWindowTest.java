package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How far a worker reads ahead of what it decodes. */
final class ReadWindowTest {
    private static final long SMALLEST = 256 << 10;
    private static final long MAX = 2 << 20;

    private final ReadWindow window = new ReadWindow(MAX);

    private void widen() {
        for (int i = 0; i < 10; i++) {
            window.adapt(true);
        }
    }

    @Test
    void readsOfADiskWidenItToItsLimitAndNoneNarrowItAgain() {
        assertEquals(SMALLEST, window.bytes());
        window.adapt(true);
        assertEquals(2 * SMALLEST, window.bytes());
        widen();
        assertEquals(MAX, window.bytes());
        window.adapt(false);
        assertEquals(MAX / 2, window.bytes());
        for (int i = 0; i < 10; i++) {
            window.adapt(false);
        }
        assertEquals(SMALLEST, window.bytes());
    }

    @Test
    void hasRoomUntilItsBytesAreTaken() {
        assertTrue(window.hasRoom(0, 0, 0));
        assertTrue(window.hasRoom(SMALLEST - 1, 100, 0));
        assertFalse(window.hasRoom(SMALLEST, 1, 0)); // Or the next chunk pushes this one out.
        widen();
        assertTrue(window.hasRoom(MAX - 1, 100, 0));
        assertFalse(window.hasRoom(MAX, 2, 0));
    }

    @Test
    void aDiskReadsTheNextLargeChunkWhileOneIsDecoded() {
        widen();
        assertTrue(window.hasRoom(10 * MAX, 1, 0));
        assertFalse(window.hasRoom(10 * MAX, 2, 0));
    }

    /** Or a worker that reads at once would never hear of what it waits for. */
    @Test
    void whatIsReadAtOnceEndsItsTurnToo() {
        assertFalse(window.hasRoom(0, 0, SMALLEST));
        widen();
        assertTrue(window.hasRoom(0, 0, MAX - 1));
        assertFalse(window.hasRoom(0, 0, MAX));
        assertFalse(window.hasRoom(MAX, 1, MAX));
    }
}
