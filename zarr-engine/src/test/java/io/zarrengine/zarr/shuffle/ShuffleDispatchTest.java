package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.zarrengine.bindings.machinecode.MachineCodeShuffle;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * Choice of the kernel. A wrong choice gives the right bytes, but slowly, so no other test fails.
 */
final class ShuffleDispatchTest {
    private static final int BYTES = 1 << 16;

    private static final Class<? extends ShuffleKernel> IN_JAVA =
            VectorUnit.IS_THERE ? VectorKernel.class : PlainKernel.class;

    private static final Class<? extends ShuffleKernel> NATIVE =
            MachineCodeShuffle.denial().isEmpty() ? MachineCodeKernel.class : IN_JAVA;

    @Test
    void prefersMachineCodeForNativeMemory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(BYTES);
            MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
            assertInstanceOf(NATIVE, of(4, memory, memory));
            assertInstanceOf(IN_JAVA, of(4, heap, memory));
            assertInstanceOf(IN_JAVA, of(4, memory, heap));
            assertSame(ShuffleDispatch.PLAIN, of(3, memory, memory));
            assertInstanceOf(NATIVE, ShuffleDispatch.ofBits(memory, memory));
            assertInstanceOf(IN_JAVA, ShuffleDispatch.ofBits(memory, heap));
            assertInstanceOf(IN_JAVA, ShuffleDispatch.ofBits(heap, memory));
        }
    }

    /** Rows are too short for a vector. */
    @Test
    void putsShortRowsInPlainJava() {
        MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
        MemorySegment[] planes = ShuffleKernel.planes(heap, 4);
        assertSame(
                ShuffleDispatch.PLAIN, ShuffleDispatch.of(planes, ElementRows.one(0, 9, heap, 0)));
    }

    /** Fails if rows are joined alone though that is slower, or not though that is faster. */
    @Test
    void asksTheKernelForTheMinimumRowLength() {
        MemorySegment heap = MemorySegment.ofArray(new byte[BYTES]);
        long inJava = VectorUnit.IS_THERE ? VectorZip.VECTOR_BYTES : 256;
        assertEquals(inJava, ShuffleDispatch.rowElementsMin(4, BYTES, heap));
        assertEquals(Long.MAX_VALUE, ShuffleDispatch.rowElementsMin(3, BYTES, heap));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(BYTES, JAVA_BYTE.byteAlignment());
            long least = MachineCodeShuffle.denial().isEmpty() ? 16 : inJava;
            assertEquals(least, ShuffleDispatch.rowElementsMin(4, BYTES, memory));
        }
    }

    private static ShuffleKernel of(
            int elementBytes, MemorySegment shuffled, MemorySegment target) {
        MemorySegment[] planes = ShuffleKernel.planes(shuffled, elementBytes);
        return ShuffleDispatch.of(planes, ElementRows.one(0, planes[0].byteSize(), target, 0));
    }
}
