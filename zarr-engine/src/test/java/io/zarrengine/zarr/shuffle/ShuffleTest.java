package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ByteShuffle} and {@link BitShuffle}, against {@link SlowShuffle}. */
public final class ShuffleTest {
    /** Numbers of elements; together with odd sizes, bytes are left over. */
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
                sample, bytes, (from, to) -> ByteShuffle.unshuffleScalar(from, to, elementBytes));
        assertUndone(
                sample,
                bits,
                (from, to) ->
                        withScratch(
                                to,
                                scratch -> BitShuffle.unshuffle(from, to, elementBytes, scratch)));
        for (BitShuffle.Way way : waysInJava()) {
            assertUndone(
                    sample,
                    bits,
                    (from, to) ->
                            withScratch(
                                    to,
                                    scratch ->
                                            BitShuffle.unshuffle(
                                                    from, to, elementBytes, scratch, way)));
        }
    }

    private static List<BitShuffle.Way> waysInJava() {
        return VectorUnit.IS_THERE
                ? List.of(BitShuffle.Way.WORDS, BitShuffle.Way.VECTORS)
                : List.of(BitShuffle.Way.WORDS);
    }

    /** Metadata may name any size: as many objects as bytes would be more than the heap takes. */
    @Test
    void elementsMayBeAsLongAsAChunk() {
        int elementBytes = 40_000_000;
        byte[] shuffled = new byte[elementBytes + 5];
        new SplittableRandom(elementBytes).nextBytes(shuffled);
        byte[] actual = new byte[shuffled.length];
        ByteShuffle.unshuffle(
                MemorySegment.ofArray(shuffled), MemorySegment.ofArray(actual), elementBytes);
        assertArrayEquals(shuffled, actual); // One element: its bytes are in their order.
    }

    private static void withScratch(MemorySegment target, Consumer<MemorySegment> unshuffle) {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory scratch = new GuardedMemory(arena, target.byteSize());
            unshuffle.accept(scratch.segment());
            scratch.assertIntact();
        }
    }

    /** From an odd address of native memory and from the heap, to native memory between guards. */
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

    /** Which of them the public methods take depends on the time they take. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void kernelsWithVectorsUndoTheSlowShuffles(int elementBytes) {
        assumeTrue(VectorUnit.IS_THERE, "the Vector API is not there");
        SplittableRandom random = new SplittableRandom(elementBytes);
        for (int vectors : new int[] {0, 1, 2, 5}) {
            int elements = (int) VectorZip.VECTOR_BYTES * 8 * vectors;
            byte[] sample = new byte[elements * elementBytes];
            random.nextBytes(sample);
            byte[] bytes = SlowShuffle.shuffleBytes(sample, elementBytes);
            assertUndone(sample, bytes, (from, to) -> unshuffleWithVectors(from, to, elementBytes));
            byte[] bits = SlowShuffle.shuffleBits(sample, elementBytes);
            assertUndone( // The planes are those of the shuffled bytes.
                    bytes,
                    bits,
                    (from, to) ->
                            VectorBitShuffle.toPlanes(
                                    from, to, elementBytes, elements / 8, elements / 8));
        }
    }

    private static void unshuffleWithVectors(
            MemorySegment from, MemorySegment to, int elementBytes) {
        long elements = to.byteSize() / elementBytes;
        if (elements > 0) {
            BytePlanes.of(from, elementBytes).putWithVectors(ElementRows.one(0, elements, to, 0));
        }
    }

    @Test
    void vectorsAreUsedWhenTheyWereFasterForAWhile() {
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

    /** Too small a share is compiled late, too large a one makes the first chunks slow. */
    @Test
    void vectorsGetASixteenthUntilThen() {
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

    @Test
    void transposesEveryBit() {
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                long bit = 1L << (8 * row + column);
                assertEquals(1L << (8 * column + row), BitShuffle.transpose(bit));
            }
        }
        assertEquals(-1L, BitShuffle.transpose(-1L));
    }
}
