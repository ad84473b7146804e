package io.zarrengine.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests slots, on memory that is not pinned. */
final class PinnedSlotsTest {
    private final AtomicBoolean memoryIsClosed = new AtomicBoolean();
    private final MemorySegment memory = MemorySegment.ofArray(new byte[3 * 4096]);
    private final PinnedSlots slots = new PinnedSlots(memory, () -> memoryIsClosed.set(true), 3);

    @Test
    void slotsDoNotOverlap() {
        for (int i = 0; i < 3; i++) {
            PinnedSlots.Slot slot = slots.tryTake().orElseThrow();
            assertEquals(i, slot.index());
            assertEquals(4096, slot.segment().byteSize());
            assertEquals(4096L * i, slot.segment().address() - memory.address());
        }
        assertTrue(slots.tryTake().isEmpty());
    }

    /** The other slots have left the caches since. */
    @Test
    void theSlotGivenBackLastIsTakenFirst() {
        PinnedSlots.Slot first = slots.tryTake().orElseThrow();
        PinnedSlots.Slot second = slots.tryTake().orElseThrow();
        first.close();
        second.close();
        assertSame(second, slots.tryTake().orElseThrow());
        assertSame(first, slots.tryTake().orElseThrow());
        assertEquals(2, slots.tryTake().orElseThrow().index());
    }

    @Test
    void takingWaitsForASlot() {
        PinnedSlots.Slot first = slots.take();
        slots.take();
        slots.take();
        CompletableFuture<Void> later = CompletableFuture.runAsync(first::close);
        assertSame(first, slots.take());
        later.join();
    }

    /**
     * Otherwise a worker would leave a chunk unfinished, or its caller would not see the interrupt.
     */
    @Test
    void anInterruptEndsNoWait() throws InterruptedException {
        PinnedSlots.Slot first = slots.take();
        slots.take();
        slots.take();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Thread waiting =
                Thread.ofPlatform()
                        .start(() -> {
                            assertSame(first, slots.take());
                            isInterrupted.set(Thread.currentThread().isInterrupted());
                        });
        waiting.interrupt();
        assertFalse(waiting.join(Duration.ofMillis(50)), "it waits");
        first.close();
        waiting.join();
        assertTrue(isInterrupted.get());
    }

    /** Otherwise two reads would fill one slot. */
    @Test
    void givingBackTwiceIsRefused() {
        PinnedSlots.Slot slot = slots.tryTake().orElseThrow();
        slot.close();
        assertThrows(IllegalStateException.class, slot::close);
        assertEquals(3, slots.freeCount());
    }

    /** Otherwise the memory would be unmapped while the device or the kernel writes to it. */
    @Test
    void aRingWithATakenSlotStaysOpen() {
        PinnedSlots.Slot slot = slots.tryTake().orElseThrow();
        assertThrows(IllegalStateException.class, slots::close);
        assertFalse(memoryIsClosed.get());
        slot.close();
        slots.close();
        assertTrue(memoryIsClosed.get());
    }

    @Test
    void aSlotIsWholePages() {
        assertThrows(IllegalArgumentException.class, () -> PinnedSlots.open(null, 2, 4095));
        assertThrows(IllegalArgumentException.class, () -> PinnedSlots.open(null, 0, 4096));
    }
}
