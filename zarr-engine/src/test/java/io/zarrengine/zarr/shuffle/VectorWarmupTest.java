package io.zarrengine.zarr.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The point at which vectors do all of the work. */
final class VectorWarmupTest {
    @Test
    void usesVectorsAfterTheyWereFasterForAWhile() {
        VectorWarmup warmup = new VectorWarmup();
        for (int i = 0; i < 3; i++) {
            warmup.compare(9, 10, 100, 100);
        }
        assertFalse(warmup.isOver());
        warmup.compare(10, 10, 100, 100);
        for (int i = 0; i < 4; i++) {
            assertFalse(warmup.isOver(), "one slow step starts anew");
            warmup.compare(9, 10, 100, 100);
        }
        assertTrue(warmup.isOver());
    }

    /** A share too small is compiled late, a share too large makes the first chunks slow. */
    @Test
    void givesVectorsASixteenthUntilThen() {
        VectorWarmup warmup = new VectorWarmup();
        assertEquals(0, warmup.share(63, 64));
        assertEquals(64, warmup.share(64, 64));
        assertEquals(64, warmup.share(1024, 64));
        assertEquals(4096, warmup.share(65_536, 64));
        for (int i = 0; i < 4; i++) {
            warmup.compare(9, 10, 100, 100);
        }
        assertEquals(0, warmup.share(63, 64));
        assertEquals(960, warmup.share(1023, 64));
    }
}
