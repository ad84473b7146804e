package io.zarrengine.uring;

import io.zarrengine.bindings.Errno;
import io.zarrengine.bindings.FailSafeLogger;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Reads with {@code FileChannel}. */
final class ChannelReader implements BlockingReader {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.uring");

    @Override
    public long read(
            FileHandle file, long fileOffset, MemorySegment memory, long memoryOffset, long bytes) {
        MemorySegment target = memory.asSlice(memoryOffset, Math.min(bytes, BYTES_MAX));
        try {
            int read = ((ChannelFile) file).channel().read(target.asByteBuffer(), fileOffset);
            return Math.max(read, 0); // -1 means the end of the file.
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, file + " at " + fileOffset, e);
            return -Errno.EIO;
        }
    }

    @Override
    public void close() {}
}
