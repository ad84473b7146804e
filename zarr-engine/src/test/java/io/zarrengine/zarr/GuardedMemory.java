package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory between guard bytes. It detects a library that writes outside its target, which is
 * otherwise silent.
 */
public final class GuardedMemory {
    private static final long GUARD_BYTES = 256;
    private static final byte GUARD = (byte) 0xA5;

    private final MemorySegment all;

    /** Allocates memory that {@code arena} owns. */
    public GuardedMemory(Arena arena, long bytes) {
        all = arena.allocate(bytes + 2 * GUARD_BYTES, 16).fill(GUARD);
    }

    /** Returns the memory between the guards. */
    public MemorySegment segment() {
        return all.asSlice(GUARD_BYTES, all.byteSize() - 2 * GUARD_BYTES);
    }

    /** Fails if a byte outside the segment has changed. */
    public void assertIntact() {
        for (long i = 0; i < GUARD_BYTES; i++) {
            long behind = all.byteSize() - GUARD_BYTES + i;
            assertEquals(GUARD, all.get(JAVA_BYTE, i), "a byte before the target was written");
            assertEquals(GUARD, all.get(JAVA_BYTE, behind), "a byte behind the target was written");
        }
    }
}
