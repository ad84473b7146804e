package io.zarrengine.fuzz;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory between guard bytes, which must not be written. */
final class Guarded {
    private static final int GUARD_BYTES = 64;
    private static final byte GUARD = (byte) 0xA5;

    private final MemorySegment all;

    Guarded(Arena arena, long bytes) {
        all = arena.allocate(bytes + 2 * GUARD_BYTES, 1);
        all.fill(GUARD);
    }

    /** Returns the memory with the guard bytes. */
    MemorySegment all() {
        return all;
    }

    MemorySegment segment() {
        return all.asSlice(GUARD_BYTES, all.byteSize() - 2 * GUARD_BYTES);
    }

    /** Throws if a guard byte was written. */
    void check() {
        for (int i = 0; i < GUARD_BYTES; i++) {
            if (all.get(JAVA_BYTE, i) != GUARD
                    || all.get(JAVA_BYTE, all.byteSize() - 1 - i) != GUARD) {
                throw new IllegalStateException("wrote outside its target, " + i);
            }
        }
    }
}
