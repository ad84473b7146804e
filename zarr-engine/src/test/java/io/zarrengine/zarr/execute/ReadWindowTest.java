package io.zarrengine.zarr.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests how far a worker reads ahead. */
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
        assertTrue(window.hasRoom());
        window.begin(SMALLEST - 1);
        assertTrue(window.hasRoom());
        window.begin(1);
        assertFalse(window.hasRoom()); // Else the next chunk pushes this one out of the cache.
        widen();
        window.begin(MAX - SMALLEST - 1);
        assertTrue(window.hasRoom());
        window.begin(1);
        assertFalse(window.hasRoom());
        window.free(1);
        assertTrue(window.hasRoom());
    }

    @Test
    void aDiskReadsTheNextLargeChunkWhileOneIsDecoded() {
        widen();
        window.begin(10 * MAX);
        assertTrue(window.hasRoom());
        window.begin(10 * MAX);
        assertFalse(window.hasRoom());
        window.free(10 * MAX);
        assertTrue(window.hasRoom());
    }

    /** Catches a worker that reads at once and never polls its queue. */
    @Test
    void whatIsReadAtOnceEndsItsTurnToo() {
        window.countReadNow(SMALLEST);
        assertFalse(window.hasRoom());
        widen();
        window.countReadNow(MAX - SMALLEST - 1);
        assertTrue(window.hasRoom());
        window.countReadNow(1);
        assertFalse(window.hasRoom());
        window.begin(MAX);
        assertFalse(window.hasRoom());
        window.turnEnds();
        assertTrue(window.hasRoom());
    }
}
