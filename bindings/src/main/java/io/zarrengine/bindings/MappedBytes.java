package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in memory whose pages may vanish, as those of a mapped file that is cut.
 *
 * <p>HotSpot survives a SIGBUS in a copy. In compiled code it has to find the next instruction, and
 * does not know all of them: {@code (memory.get(JAVA_BYTE, 4) & 4) != 0} becomes {@code testb},
 * whose length {@code Assembler::locate_operand} of JDK 25 does not tell, and the JVM aborts. So
 * what is decided by such a number reads it here, where it is copied first.
 */
public final class MappedBytes {
    private static final VarHandle LITTLE_ENDIAN_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private MappedBytes() {}

    /**
     * {@return some bytes as an unsigned little-endian number}
     *
     * @param memory that may vanish: then the number is undefined, and an {@link InternalError} is
     *     thrown here or soon after
     * @param at the first byte
     * @param bytes how many, 0 to 8
     * @throws IndexOutOfBoundsException if the memory does not hold them
     */
    public static long littleEndian(MemorySegment memory, long at, int bytes) {
        byte[] copy = new byte[Long.BYTES];
        MemorySegment.copy(memory, JAVA_BYTE, at, copy, 0, bytes);
        return (long) LITTLE_ENDIAN_LONG.get(copy, 0);
    }

    /**
     * {@return a byte, unsigned}
     *
     * @param memory that may vanish, as in {@link #littleEndian}
     * @param at which one
     * @throws IndexOutOfBoundsException if the memory does not hold it
     */
    public static int unsignedByte(MemorySegment memory, long at) {
        return (int) littleEndian(memory, at, 1);
    }

    /**
     * {@return four bytes as a little-endian number}
     *
     * @param memory that may vanish, as in {@link #littleEndian}
     * @param at the first byte
     * @throws IndexOutOfBoundsException if the memory does not hold them
     */
    public static int littleEndianInt(MemorySegment memory, long at) {
        return (int) littleEndian(memory, at, Integer.BYTES);
    }
}
