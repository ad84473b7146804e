package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

final class NativeMemoryTest {
    @Test
    void isZeroedThenWritableThenGone() {
        MemorySegment lent;
        try (NativeMemory memory = NativeMemory.allocate(5000)) {
            lent = memory.segment();
            assertEquals(5000, lent.byteSize());
            assertEquals(0, lent.get(ValueLayout.JAVA_BYTE, 4999));
            lent.set(ValueLayout.JAVA_BYTE, 4999, (byte) 7);
        }
        assertThrows(IllegalStateException.class, () -> lent.get(ValueLayout.JAVA_BYTE, 4999));
    }

    @Test
    void nothingIsAllocatedForNothing() {
        try (NativeMemory memory = NativeMemory.allocate(0)) {
            assertEquals(0, memory.segment().byteSize());
        }
    }

    /** Arena memory is limited by {@code -XX:MaxDirectMemorySize}. */
    @Test
    @NeedsNativeAccess
    void mayBeLargerThanTheHeap() {
        long bytes = Runtime.getRuntime().maxMemory() + 4096;
        try (NativeMemory memory = NativeMemory.allocate(bytes)) {
            memory.segment().set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
        }
    }

    @Test
    void tooMuchIsAnErrorThatSaysHowMuch() {
        OutOfMemoryError e =
                assertThrows(OutOfMemoryError.class, () -> NativeMemory.allocate(1L << 60));
        assertTrue(e.getMessage().contains(Long.toString(1L << 60)), e.getMessage());
    }
}
