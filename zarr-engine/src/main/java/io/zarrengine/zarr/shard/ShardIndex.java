package io.zarrengine.zarr.shard;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.UseCount;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import java.lang.foreign.MemorySegment;

/**
 * The decoded index of one shard.
 *
 * <p>Shape: {@code (chunksPerShard, 2)}, C order, one row {@code (offset, size)} for each inner
 * chunk. Units: bytes, offsets from the start of the shard. A row of two {@code 2^64 - 1} marks a
 * chunk that was never written; it reads as the fill value. Immutable.
 *
 * <p>Owner: everybody who got it from {@link ShardIndexCache} or made it, until they close it; the
 * last one frees its memory. Threads: any.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public final class ShardIndex implements AutoCloseable {
    private static final long MISSING = -1L; // 2^64 - 1, as a signed long

    private final MemorySegment rows; // longs: offset of chunk i at 2i, its size at 2i + 1
    private final Runnable free;
    private final UseCount owners = new UseCount("the index of a shard");

    private ShardIndex(MemorySegment rows, Runnable free) {
        this.rows = rows;
        this.free = free;
    }

    /**
     * Decodes and checks an index, on the heap.
     *
     * @param codec how it is stored
     * @param encoded the stored index, with its checksum if it has one; copied
     * @param shardBytes size of the whole shard; every chunk must lie inside it
     * @return the index
     * @throws CodecException if the checksum does not match, or if a row reaches outside the shard
     *     or into the index; the message names the row
     */
    public static ShardIndex decode(ShardIndexCodec codec, MemorySegment encoded, long shardBytes)
            throws CodecException {
        long[] rows = new long[Math.toIntExact(rowBytes(codec, encoded) / Long.BYTES)];
        return decode(codec, encoded, shardBytes, MemorySegment.ofArray(rows), () -> {});
    }

    /** The size of a decoded index. */
    static long rowBytes(ShardIndexCodec codec, MemorySegment encoded) {
        return encoded.byteSize() - codec.encodedBytes(0);
    }

    /** Decodes to {@code rows}, of {@link #rowBytes}; {@code free} runs when nobody needs them. */
    static ShardIndex decode(
            ShardIndexCodec codec,
            MemorySegment encoded,
            long shardBytes,
            MemorySegment rows,
            Runnable free)
            throws CodecException {
        codec.decode(encoded, rows);
        long count = rows.byteSize() / Long.BYTES;
        long indexFrom = codec.atStart() ? 0 : shardBytes - encoded.byteSize();
        long indexTo = indexFrom + encoded.byteSize();
        for (long i = 0; i < count; i += 2) {
            long offset = rows.getAtIndex(JAVA_LONG, i);
            long size = rows.getAtIndex(JAVA_LONG, i + 1);
            checkRow(i / 2, offset, size, shardBytes);
            checkBesideIndex(i / 2, offset, size, indexFrom, indexTo);
        }
        return new ShardIndex(rows, free);
    }

    /**
     * One more owner.
     *
     * @throws IllegalStateException if the last one has closed it
     */
    public void retain() {
        owners.add();
    }

    /** {@return whether there is one more owner: false if the last one has closed it} */
    boolean tryRetain() {
        return owners.tryAdd();
    }

    /**
     * Ends one owner's use of it.
     *
     * @throws IllegalStateException if there is no owner left
     */
    @Override
    public void close() {
        if (owners.removeIsLast()) {
            free.run();
        }
    }

    private static void checkRow(long chunk, long offset, long size, long shardBytes)
            throws CodecException {
        if (offset == MISSING && size == MISSING) {
            return;
        }
        if (offset < 0 || size < 0 || offset > shardBytes - size) {
            throw new CodecException(
                    "sharding_indexed",
                    "inner chunk "
                            + chunk
                            + " at offset "
                            + Long.toUnsignedString(offset)
                            + ", size "
                            + Long.toUnsignedString(size)
                            + ", reaches outside a shard of "
                            + shardBytes
                            + " bytes");
        }
    }

    /** Chunks may share their bytes with one another, but not with the index. */
    private static void checkBesideIndex(
            long chunk, long offset, long size, long indexFrom, long indexTo)
            throws CodecException {
        boolean overlaps = size > 0 && offset < indexTo && offset + size > indexFrom;
        if (overlaps) { // Of a missing chunk, the size is negative.
            throw new CodecException(
                    "sharding_indexed",
                    "inner chunk "
                            + chunk
                            + " at offset "
                            + offset
                            + ", size "
                            + size
                            + ", overlaps the shard's index, which takes the bytes from "
                            + indexFrom
                            + " to "
                            + indexTo);
        }
    }

    /** {@return the memory that the rows take, in bytes} */
    public long byteSize() {
        return rows.byteSize();
    }

    /**
     * {@return whether an inner chunk was ever written}
     *
     * @param chunk its number in C order
     */
    public boolean isPresent(int chunk) {
        return offset(chunk) != MISSING || size(chunk) != MISSING;
    }

    /**
     * {@return where a written chunk begins, in bytes from the start of the shard}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long offset(int chunk) {
        return rows.getAtIndex(JAVA_LONG, 2L * chunk);
    }

    /**
     * {@return the encoded size of a written chunk in bytes}
     *
     * @param chunk its number in C order; {@link #isPresent} must be true for it
     */
    public long size(int chunk) {
        return rows.getAtIndex(JAVA_LONG, 2L * chunk + 1);
    }
}
