package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads with preadv(2). */
final class PreadvReader implements BlockingReader {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment callState = LibC.newCallState(arena);
    private final MemorySegment vector = arena.allocate(IoVector.LAYOUT);

    @Override
    public long read(
            FileHandle file, long fileOffset, MemorySegment memory, long memoryOffset, long bytes) {
        IoVector.set(vector, 0, memory.asSlice(memoryOffset, Math.min(bytes, BYTES_MAX)));
        int descriptor = ((DescriptorFile) file).descriptor();
        if (file.dropsBehind()) {
            long result =
                    LibC.preadv2(callState, descriptor, vector, 1, fileOffset, LibC.RWF_DONTCACHE);
            if (result != -Errno.EOPNOTSUPP) {
                return result;
            }
            file.stopsDroppingBehind();
        }
        return LibC.preadv(callState, descriptor, vector, 1, fileOffset);
    }

    @Override
    public void close() {
        arena.close();
    }
}
