package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.GuardedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Remaining bytes, and all else that is outside of a {@link ShuffleKernel}. */
public final class ShuffleTest {
    /** Counts of elements; together with odd sizes, some bytes remain. */
    private static final int[] ELEMENTS = {
        0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 127, 128, 136, 256, 1024, 1032, 1992, 9001,
        16_384
    };

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 255})
    void undoesTheSlowShuffles(int elementBytes) {
        SplittableRandom random = new SplittableRandom(elementBytes);
        for (int elements : ELEMENTS) {
            for (int leftOver : new int[] {0, elementBytes / 2, elementBytes - 1}) {
                byte[] sample = new byte[elements * elementBytes + leftOver];
                random.nextBytes(sample);
                check(sample, elementBytes);
            }
        }
    }

    private static void check(byte[] sample, int elementBytes) {
        byte[] bytes = SlowShuffle.shuffleBytes(sample, elementBytes);
        byte[] bits = SlowShuffle.shuffleBits(sample, elementBytes);
        assertUndone(sample, bytes, (from, to) -> ByteShuffle.unshuffle(from, to, elementBytes));
        assertUndone(
                sample,
                bits,
                (from, to) ->
                        withScratch(
                                to,
                                scratch -> BitShuffle.unshuffle(from, to, elementBytes, scratch)));
    }

    /** Metadata may name any size: one object for each byte would exceed the heap. */
    @Test
    void acceptsElementsAsLongAsAChunk() {
        int elementBytes = 40_000_000;
        byte[] shuffled = new byte[elementBytes + 5];
        new SplittableRandom(elementBytes).nextBytes(shuffled);
        byte[] actual = new byte[shuffled.length];
        ByteShuffle.unshuffle(
                MemorySegment.ofArray(shuffled), MemorySegment.ofArray(actual), elementBytes);
        assertArrayEquals(shuffled, actual); // One element: its bytes are in order.
    }

    private static void withScratch(MemorySegment target, Consumer<MemorySegment> unshuffle) {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory scratch = new GuardedMemory(arena, target.byteSize());
            unshuffle.accept(scratch.segment());
            scratch.assertIntact();
        }
    }

    /**
     * Asserts the result from native memory at an odd address and from the heap, between guards.
     */
    private static void assertUndone(
            byte[] sample, byte[] shuffled, BiConsumer<MemorySegment, MemorySegment> unshuffle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment odd = arena.allocate(shuffled.length + 1L).asSlice(1);
            odd.copyFrom(MemorySegment.ofArray(shuffled));
            for (MemorySegment source : List.of(odd, MemorySegment.ofArray(shuffled))) {
                GuardedMemory target = new GuardedMemory(arena, sample.length);
                unshuffle.accept(source, target.segment());
                assertArrayEquals(sample, target.segment().toArray(JAVA_BYTE));
                target.assertIntact();
            }
        }
    }
}
