package io.zarrengine.zarr.shuffle;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Zips two vectors: lane 0 of one, lane 0 of the other, lane 1 of the first, and so on. The low
 * half of the result is one vector, the high half another.
 */
final class VectorZip {
    private static final VectorShape SHAPE =
            ByteVector.SPECIES_PREFERRED.vectorShape() == VectorShape.S_512_BIT
                            && VectorUnit.picksBytesOfWideVectors()
                    ? VectorShape.S_512_BIT
                    : VectorShape.S_128_BIT;

    private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, SHAPE);

    private static final VectorSpecies<Long> LONGS = VectorSpecies.of(long.class, SHAPE);

    /** Size of a vector. */
    static final long VECTOR_BYTES = BYTES.vectorByteSize();

    // Lanes selected from two vectors, numbered through both.
    static final ByteVector LOW_BYTES = (ByteVector) lanes(byte.class, 0);
    static final ByteVector HIGH_BYTES = (ByteVector) lanes(byte.class, 1);
    private static final ShortVector LOW_SHORTS = (ShortVector) lanes(short.class, 0);
    private static final ShortVector HIGH_SHORTS = (ShortVector) lanes(short.class, 1);
    private static final IntVector LOW_INTS = (IntVector) lanes(int.class, 0);
    private static final IntVector HIGH_INTS = (IntVector) lanes(int.class, 1);

    private VectorZip() {}

    private static <E> Vector<E> lanes(Class<E> type, long half) {
        VectorSpecies<E> species = VectorSpecies.of(type, SHAPE);
        long count = species.length();
        Vector<E> vector = species.zero();
        for (int i = 0; i < count; i++) {
            long lane = (half * count + i) / 2 + i % 2 * count;
            vector = vector.blend(lane, VectorMask.fromLong(species, 1L << i));
        }
        return vector;
    }

    static ByteVector load(MemorySegment source, long at) {
        return ByteVector.fromMemorySegment(BYTES, source, at, ByteOrder.LITTLE_ENDIAN);
    }

    static LongVector loadLongs(MemorySegment source, long at) {
        return LongVector.fromMemorySegment(LONGS, source, at, ByteOrder.LITTLE_ENDIAN);
    }

    static void store(Vector<?> vector, MemorySegment target, long at) {
        vector.intoMemorySegment(target, at, ByteOrder.LITTLE_ENDIAN);
    }

    static ShortVector low(ByteVector even, ByteVector odd) {
        return zip(LOW_BYTES, even, odd);
    }

    static ShortVector high(ByteVector even, ByteVector odd) {
        return zip(HIGH_BYTES, even, odd);
    }

    /** {@code half} is {@link #LOW_BYTES} or {@link #HIGH_BYTES}. */
    static ShortVector zip(ByteVector half, ByteVector even, ByteVector odd) {
        return half.selectFrom(even, odd).reinterpretAsShorts();
    }

    static IntVector low(ShortVector even, ShortVector odd) {
        return LOW_SHORTS.selectFrom(even, odd).reinterpretAsInts();
    }

    static IntVector high(ShortVector even, ShortVector odd) {
        return HIGH_SHORTS.selectFrom(even, odd).reinterpretAsInts();
    }

    /** Returns a vector of ints: converted to longs, C2 took five times as long (JDK 25). */
    static IntVector low(IntVector even, IntVector odd) {
        return LOW_INTS.selectFrom(even, odd);
    }

    static IntVector high(IntVector even, IntVector odd) {
        return HIGH_INTS.selectFrom(even, odd);
    }
}
