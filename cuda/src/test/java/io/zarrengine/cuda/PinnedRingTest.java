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
final class PinnedRingTest {
    private final AtomicBoolean memoryIsClosed = new AtomicBoolean();
    private final MemorySegment memory = MemorySegment.ofArray(new byte[3 * 4096]);
    private final PinnedRing ring = new PinnedRing(memory, () -> memoryIsClosed.set(true), 3);

    @Test
    void slotsDoNotOverlap() {
        for (int i = 0; i < 3; i++) {
            PinnedRing.Slot slot = ring.tryTake().orElseThrow();
            assertEquals(i, slot.index());
            assertEquals(4096, slot.segment().byteSize());
            assertEquals(4096L * i, slot.segment().address() - memory.address());
        }
        assertTrue(ring.tryTake().isEmpty());
    }

    /** The other slots have left the caches since. */
    @Test
    void theSlotGivenBackLastIsTakenFirst() {
        PinnedRing.Slot first = ring.tryTake().orElseThrow();
        PinnedRing.Slot second = ring.tryTake().orElseThrow();
        first.close();
        second.close();
        assertSame(second, ring.tryTake().orElseThrow());
        assertSame(first, ring.tryTake().orElseThrow());
        assertEquals(2, ring.tryTake().orElseThrow().index());
    }

    @Test
    void takingWaitsForASlot() {
        PinnedRing.Slot first = ring.take();
        ring.take();
        ring.take();
        CompletableFuture<Void> later = CompletableFuture.runAsync(first::close);
        assertSame(first, ring.take());
        later.join();
    }

    /**
     * Otherwise a worker would leave a chunk unfinished, or its caller would not see the interrupt.
     */
    @Test
    void anInterruptEndsNoWait() throws InterruptedException {
        PinnedRing.Slot first = ring.take();
        ring.take();
        ring.take();
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Thread waiting =
                Thread.ofPlatform()
                        .start(() -> {
                            assertSame(first, ring.take());
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
        PinnedRing.Slot slot = ring.tryTake().orElseThrow();
        slot.close();
        assertThrows(IllegalStateException.class, slot::close);
        assertEquals(3, ring.freeCount());
    }

    /** Otherwise the memory would be unmapped while the device or the kernel writes to it. */
    @Test
    void aRingWithATakenSlotStaysOpen() {
        PinnedRing.Slot slot = ring.tryTake().orElseThrow();
        assertThrows(IllegalStateException.class, ring::close);
        assertFalse(memoryIsClosed.get());
        slot.close();
        ring.close();
        assertTrue(memoryIsClosed.get());
    }

    @Test
    void aSlotIsWholePages() {
        assertThrows(IllegalArgumentException.class, () -> PinnedRing.open(null, 2, 4095));
        assertThrows(IllegalArgumentException.class, () -> PinnedRing.open(null, 0, 4096));
    }
}
