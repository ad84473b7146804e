package io.zarrengine.bindings.frames;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Reads numbers in memory whose pages may vanish, such as those of a mapped file that is truncated.
 * Copies some bytes at a time. Owner: one thread.
 *
 * <p>HotSpot survives a SIGBUS in a copy. In compiled code it must find the next instruction, and
 * does not know all of them: {@code (memory.get(JAVA_BYTE, 4) & 4) != 0} becomes {@code testb},
 * whose length {@code Assembler::locate_operand} of JDK 25 does not know, and the JVM aborts. Code
 * that branches on such a number therefore reads it through this class.
 */
public final class MappedBytes implements FrameBytes {
    private static final VarHandle LITTLE_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int COPIED_BYTES = 32; // most headers of a chunk

    private final MemorySegment memory;
    private final byte[] copy = new byte[COPIED_BYTES + Long.BYTES];
    private long copyFrom;
    private long copyTo;

    /**
     * Copies nothing yet.
     *
     * @param memory that may vanish: then numbers are undefined, and reading them throws an {@link
     *     InternalError}, at once or soon after
     */
    public MappedBytes(MemorySegment memory) {
        this.memory = memory;
    }

    @Override
    public long byteSize() {
        return memory.byteSize();
    }

    @Override
    public long littleEndian(long at, int bytes) {
        if (at < copyFrom || at + bytes > copyTo) {
            copyBytes(Objects.checkFromIndexSize(at, bytes, memory.byteSize()));
        }
        long value = (long) LITTLE_ENDIAN_LONG.get(copy, (int) (at - copyFrom));
        return bytes == Long.BYTES ? value : value & ((1L << (bytes * Byte.SIZE)) - 1);
    }

    private void copyBytes(long at) {
        int bytes = (int) Math.min(COPIED_BYTES, memory.byteSize() - at);
        copyTo = copyFrom; // empty, if the copy throws
        MemorySegment.copy(memory, JAVA_BYTE, at, copy, 0, bytes);
        copyFrom = at;
        copyTo = at + bytes;
    }
}
