package io.zarrengine.bindings.machinecode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.LibC;
import io.zarrengine.bindings.LibCMemory;
import io.zarrengine.bindings.MemoryMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/** Memory between inaccessible pages: an access that is off by only one byte ends the JVM. */
final class GuardedPages {
    private static final long PAGE_BYTES = 4096;
    private static final int PROT_NONE = 0;

    private final MemorySegment inside;

    /** Allocates whole pages. Owner: the arena. */
    GuardedPages(long bytes, Arena arena) throws ErrnoException {
        long insideBytes = Math.ceilDiv(bytes, PAGE_BYTES) * PAGE_BYTES;
        MemorySegment all = MemoryMap.anonymous(insideBytes + 2 * PAGE_BYTES, arena);
        inside = all.asSlice(PAGE_BYTES, insideBytes);
        MemorySegment callState = LibC.newCallState(arena);
        for (long at : new long[] {0, PAGE_BYTES + insideBytes}) {
            MemorySegment guard = all.asSlice(at, PAGE_BYTES);
            assertEquals(0, LibCMemory.mprotect(callState, guard, PROT_NONE));
        }
    }

    /** Returns memory at the end of the pages. */
    MemorySegment back(long bytes) {
        return inside.asSlice(inside.byteSize() - bytes, bytes);
    }

    /** Returns memory at the front of the pages. */
    MemorySegment front(long bytes) {
        return inside.asSlice(0, bytes);
    }

    /** Returns memory at the front or the end of the pages. */
    MemorySegment either(SplittableRandom random, long bytes) {
        return random.nextBoolean() ? front(bytes) : back(bytes);
    }

    /** Returns a copy of bytes at each end of the pages; the copies must not overlap. */
    List<MemorySegment> both(byte... bytes) {
        MemorySegment source = MemorySegment.ofArray(bytes);
        return List.of(front(bytes.length).copyFrom(source), back(bytes.length).copyFrom(source));
    }
}
