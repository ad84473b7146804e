package io.zarrengine.bindings.frames;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Reads numbers in place, in memory that is not a mapped file.
 *
 * @param memory that does not vanish
 */
public record StableBytes(MemorySegment memory) implements FrameBytes {
    private static final ValueLayout.OfShort LE_SHORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LE_LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public long byteSize() {
        return memory.byteSize();
    }

    @Override
    public long littleEndian(long at, int bytes) {
        return switch (bytes) {
            case Byte.BYTES -> Byte.toUnsignedLong(memory.get(JAVA_BYTE, at));
            case Short.BYTES -> Short.toUnsignedLong(memory.get(LE_SHORT, at));
            case Integer.BYTES -> Integer.toUnsignedLong(memory.get(LE_INT, at));
            case Long.BYTES -> memory.get(LE_LONG, at);
            default -> byteByByte(at, bytes);
        };
    }

    private long byteByByte(long at, int bytes) {
        Objects.checkFromIndexSize(at, bytes, memory.byteSize());
        long number = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            number = number << Byte.SIZE | Byte.toUnsignedLong(memory.get(JAVA_BYTE, at + i));
        }
        return number;
    }
}
