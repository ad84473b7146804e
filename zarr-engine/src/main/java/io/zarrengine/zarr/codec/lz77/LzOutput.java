package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The output of an LZ77 decoder: literals, and matches of earlier output. Every access is checked
 * against its segment. Owner: one call.
 */
final class LzOutput {
    private final MemorySegment target;
    private final long end;
    private long at;

    /** {@code end} is the end of the output. */
    LzOutput(MemorySegment target, long end) {
        this.target = target;
        this.end = end;
    }

    /** {@return the number of written bytes} */
    long written() {
        return at;
    }

    /** {@return the number of bytes that still fit} */
    long room() {
        return end - at;
    }

    /**
     * Appends a part of the input.
     *
     * @throws IndexOutOfBoundsException if the input is shorter, or there is no room
     */
    void literals(MemorySegment in, long from, long length) {
        checkRoom(length);
        boolean isShort = length <= 2 * Long.BYTES && room() >= 2 * Long.BYTES;
        if (isShort && in.byteSize() - from >= 2 * Long.BYTES) {
            copyLong(in, from, at);
            copyLong(in, from + Long.BYTES, at + Long.BYTES);
        } else {
            MemorySegment.copy(in, from, target, at, length);
        }
        at += length;
    }

    /**
     * Appends earlier output, which repeats if the match overlaps its own output.
     *
     * @param distance back to the begin of the match, {@code > 0}
     * @throws IndexOutOfBoundsException if there is no output so far back, or no room
     */
    void match(long distance, long length) {
        checkRoom(length);
        if (distance < 1 || distance > at) {
            throw new IndexOutOfBoundsException("a match " + distance + " bytes before " + at);
        }
        long to = at + length;
        if (distance >= Long.BYTES && end - to >= Long.BYTES) {
            for (long next = at; next < to; next += Long.BYTES) {
                copyLong(target, next - distance, next);
            }
        } else {
            for (long next = at; next < to; next++) {
                target.set(JAVA_BYTE, next, target.get(JAVA_BYTE, next - distance));
            }
        }
        at = to;
    }

    /**
     * Appends zeros.
     *
     * @throws IndexOutOfBoundsException if there is no room
     */
    void zeros(long length) {
        checkRoom(length);
        target.asSlice(at, length).fill((byte) 0);
        at += length;
    }

    private void checkRoom(long length) {
        if (length > room()) {
            throw new IndexOutOfBoundsException(length + " bytes, there is room for " + room());
        }
    }

    private void copyLong(MemorySegment source, long from, long to) {
        target.set(JAVA_LONG_UNALIGNED, to, source.get(JAVA_LONG_UNALIGNED, from));
    }
}
