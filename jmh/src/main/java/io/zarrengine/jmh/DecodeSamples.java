package io.zarrengine.jmh;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.bindings.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** Creates chunks for measurements of decoders. */
final class DecodeSamples {
    private static final int STEP_MAX = 16;

    private DecodeSamples() {}

    /** {@return the elements, filled with a random walk of int16} */
    static MemorySegment randomWalk(int seed, MemorySegment elements) {
        SplittableRandom random = new SplittableRandom(seed);
        short value = 0;
        for (int i = 0; i < elements.byteSize() / Short.BYTES; i++) {
            value += (short) (random.nextInt(2 * STEP_MAX) - STEP_MAX);
            elements.setAtIndex(JAVA_SHORT, i, value);
        }
        return elements;
    }

    /** Throws if a library that a measurement needs is missing. */
    static void require(NativeLibrary library) {
        library.unavailabilityCause()
                .ifPresent(cause -> {
                    throw new UnsupportedOperationException(cause);
                });
    }

    static void check(MemorySegment actual, MemorySegment expected) {
        if (actual.mismatch(expected) != -1) {
            throw new AssertionError("decoded to other bytes");
        }
    }
}
