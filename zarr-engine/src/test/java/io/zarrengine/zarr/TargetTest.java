package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Memory that no device can write to is refused before a device is asked. */
final class TargetTest {
    private static final Target DEVICE = Target.cuda(0);

    private static void assertRefused(String cause, MemorySegment memory) {
        var e = assertThrows(IllegalArgumentException.class, () -> DEVICE.into(memory));
        assertEquals(cause, e.getMessage());
    }

    @Test
    void refusesHeapMemory() {
        assertRefused("the target is on Java's heap", MemorySegment.ofArray(new byte[16]));
    }

    @Test
    void refusesReadOnlyMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16);
            assertEquals(memory.address(), DEVICE.into(memory).memory().pointer());
            assertRefused("the target is read-only", memory.asReadOnly());
        }
    }

    @Test
    void refusesAddressZeroUnlessEmpty() {
        assertThrows(IllegalArgumentException.class, () -> DEVICE.into(0, 1));
        assertEquals(0, DEVICE.into(MemorySegment.NULL).memory().pointer());
    }

    @Test
    void refusesANegativeLength() {
        assertThrows(IllegalArgumentException.class, () -> DEVICE.into(4096, -1));
    }
}
