package io.zarrengine.zarr.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.NativeUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * Memory that a native call may be using when its owner closes it. Fails if it is freed under the
 * call, or leaks.
 */
final class TensorLifetimeTest {
    private int frees;
    private boolean isInUse;
    private final TensorLifetime lifetime = new TensorLifetime(this::free);

    private void free() {
        if (isInUse) {
            throw new IllegalStateException("a native call uses the memory");
        }
        frees++;
    }

    @Test
    void refusesUseAfterClose() {
        MemorySegment view = lifetime.views().allocate(1);
        lifetime.close();
        assertEquals(1, frees);
        assertFalse(view.scope().isAlive());
        assertThrows(IllegalStateException.class, lifetime::refuseIfClosed);
        assertThrows(IllegalStateException.class, lifetime::views);
        assertThrows(IllegalStateException.class, lifetime::close);
        lifetime.closeIfOpen();
        assertEquals(1, frees);
    }

    /** Otherwise nothing could free it any more: it would leak. */
    @Test
    void staysOpenWhenMemoryCannotBeFreedYet() {
        Arena first = lifetime.views();
        assertSame(first, lifetime.views());
        isInUse = true;
        assertThrows(IllegalStateException.class, lifetime::close);
        assertThrows(IllegalStateException.class, lifetime::closeIfOpen);
        lifetime.refuseIfClosed();
        assertNotSame(first, lifetime.views());
        isInUse = false;
        lifetime.closeIfOpen();
        assertEquals(1, frees);
    }

    /** The memory must outlive the call. */
    @Test
    void keepsTheMemoryWhileAViewIsInUse() throws Exception {
        MemorySegment view = lifetime.views().allocate(1);
        try (NativeUse _ = NativeUse.of(view)) {
            assertThrows(IllegalStateException.class, lifetime::close);
            assertEquals(0, frees);
            assertTrue(view.scope().isAlive());
        }
        lifetime.close();
        assertEquals(1, frees);
    }
}
