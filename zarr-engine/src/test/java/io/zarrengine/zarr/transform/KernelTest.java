package io.zarrengine.zarr.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/** Kernels on the CPU, by machine code where it can, and in Java. */
final class KernelTest extends KernelContract {
    @Override
    long[] run(Transform transform, NumericType type, long[] shape, long... bits) {
        NumericType result = transform.typeAfter(type);
        int count = ReferenceTransform.count(transform.shapeAfter(shape));
        int skipped = 3; // elements of other samples before this one
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source =
                    arena.allocate((skipped + bits.length + 1L) * type.byteSize(), 8);
            for (int i = 0; i < bits.length; i++) {
                set(type, source, skipped + i, bits[i]);
            }
            GuardedMemory guarded = new GuardedMemory(arena, (long) count * result.byteSize());
            Kernel kernel = Kernel.of(transform, type, shape);
            long half = kernel.rows() / 2;
            kernel.run(source, skipped, guarded.segment(), 0, half, kernel.rows());
            kernel.run(source, skipped, guarded.segment(), 0, 0, half);
            guarded.assertIntact();
            assertEquals(count, kernel.rows() * kernel.rowLength());
            MemorySegment target = guarded.segment();
            assertEqualsJava(kernel, source, skipped, target, result);
            return IntStream.range(0, count).mapToLong(i -> get(result, target, i)).toArray();
        }
    }

    /** Java computes memory of the heap. Fails if its results are others, bit by bit. */
    private static void assertEqualsJava(
            Kernel kernel, MemorySegment source, int base, MemorySegment target, NumericType type) {
        MemorySegment copy = MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE));
        MemorySegment java = MemorySegment.ofArray(new byte[(int) target.byteSize()]);
        kernel.run(copy, base, java, 0, 0, kernel.rows());
        for (long i = 0; i < kernel.rows() * kernel.rowLength(); i++) {
            long one = get(type, target, i);
            long other = get(type, java, i);
            boolean areNan = Double.isNaN(type.toDouble(one)) && Double.isNaN(type.toDouble(other));
            assertTrue(one == other || areNan, "Java's at " + i);
        }
    }
}
