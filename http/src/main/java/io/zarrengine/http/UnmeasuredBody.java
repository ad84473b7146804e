package io.zarrengine.http;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A body without a length, which is a whole object. If a range is wanted, only its bytes are kept,
 * in the memory of the read; the others are counted for the size of the object. An object that is
 * wanted as a whole is metadata or a list, and is collected on the heap.
 *
 * <p>Threads: as {@link Attempt}.
 */
final class UnmeasuredBody {
    /** The longest document of metadata; to find the end of a larger object takes too long. */
    private static final long OBJECT_BYTES_MAX = 256L << 20;

    static final String TOO_LONG =
            "the server tells no length, and sends more than "
                    + (OBJECT_BYTES_MAX >> 20)
                    + " MiB of the object";

    private final Race race;
    private final Attempt attempt;
    private final ObjectRead read;
    private final boolean isWhole;
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream(0);
    private final MemorySegment memory; // for a range; the last bytes of an object go round in it
    private long seen; // bytes of the object

    /** Takes the memory of the read if a range is wanted. */
    UnmeasuredBody(Race race, Attempt attempt, ObjectRead read) {
        this.race = race;
        this.attempt = attempt;
        this.read = read;
        isWhole = read.length() == ObjectRead.WHOLE;
        memory = isWhole ? MemorySegment.NULL : read.target(read.length());
    }

    boolean isTooLong() {
        return seen > OBJECT_BYTES_MAX;
    }

    /** {@return the size of the object, at the end of the body} */
    long objectBytes() {
        return seen;
    }

    /** {@return how many bytes are wanted, at the end of the body} */
    long bytes() {
        long first = read.offset() < 0 ? 0 : Math.min(read.offset(), seen);
        return Math.min(seen - first, read.length());
    }

    /** Takes a part; {@return false if the request was abandoned, or the body is too long} */
    boolean take(ByteBuffer buffer) {
        long before = seen;
        seen += buffer.remaining();
        if (isTooLong()) {
            return false;
        }
        MemorySegment part = MemorySegment.ofBuffer(buffer);
        if (isWhole) {
            whole.writeBytes(part.toArray(JAVA_BYTE));
            return true;
        }
        return read.offset() < 0 ? keepLast(part, before) : keepRange(part, before);
    }

    private boolean keepRange(MemorySegment part, long before) {
        long from = Math.clamp(read.offset() - before, 0, part.byteSize());
        long at = before + from - read.offset();
        long count = Math.min(part.byteSize() - from, read.length() - at);
        return count <= 0 || race.write(attempt, part.asSlice(from, count), memory, at);
    }

    private boolean keepLast(MemorySegment part, long before) {
        boolean isWritten = true;
        long from = Math.max(part.byteSize() - read.length(), 0);
        while (isWritten && from < part.byteSize()) {
            long at = (before + from) % read.length();
            long count = Math.min(part.byteSize() - from, read.length() - at);
            isWritten = race.write(attempt, part.asSlice(from, count), memory, at);
            from += count;
        }
        return isWritten;
    }

    /**
     * Brings the wanted bytes to the memory that the read gives for as many. {@return false if the
     * request was abandoned}
     */
    boolean end() {
        if (isWhole) {
            MemorySegment bytes = MemorySegment.ofArray(whole.toByteArray());
            return race.write(attempt, bytes, read.target(seen), 0);
        }
        boolean isInPlace = bytes() == read.length() && read.offset() >= 0;
        return isInPlace || race.change(attempt, this::rearrange);
    }

    /** The memory for fewer bytes may be another one, or a part of this one. */
    private void rearrange() {
        byte[] kept = memory.asSlice(0, bytes()).toArray(JAVA_BYTE);
        MemorySegment bytes = MemorySegment.ofArray(kept);
        long begin = read.offset() < 0 && seen > read.length() ? seen % read.length() : 0;
        MemorySegment target = read.target(kept.length);
        MemorySegment.copy(bytes, begin, target, 0, kept.length - begin);
        MemorySegment.copy(bytes, 0, target, kept.length - begin, begin);
    }
}
