package io.zarrengine.uring;

import java.lang.foreign.MemorySegment;

/**
 * Reads one range and waits for it: one system call, or one call of the JDK.
 *
 * <p>Owner: one thread of a pool.
 */
interface BlockingReader extends AutoCloseable {
    /**
     * Most bytes that one call reads. Linux stops at 0x7ffff000 bytes, a ByteBuffer at 2^31 - 1.
     */
    long BYTES_MAX = 1L << 30;

    /**
     * Reads at most {@code bytes} bytes, and at most {@link #BYTES_MAX}.
     *
     * @return bytes read, 0 at the end of the file, or -errno
     */
    long read(
            FileHandle file, long fileOffset, MemorySegment memory, long memoryOffset, long bytes);

    @Override
    void close();
}
