package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The stored form of a shard's index: an array {@code (chunks, 2)} of uint64, offset and size of
 * each inner chunk.
 *
 * @param atStart whether the index is before the chunks; otherwise it is after them
 * @param byteOrder of its numbers
 * @param checksum whether a CRC-32C follows it
 * @param transposed the order of its numbers; empty for C order
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public record ShardIndexCodec(
        boolean atStart, ByteOrder byteOrder, boolean checksum, Optional<IndexOrder> transposed) {
    /** Size of the entry of one inner chunk. */
    public static final int ENTRY_BYTES = 2 * Long.BYTES;

    /**
     * Creates the codec of an index in C order.
     *
     * @param atStart whether the index is before the chunks; otherwise it is after them
     * @param byteOrder of its numbers
     * @param checksum whether a CRC-32C follows it
     */
    public ShardIndexCodec(boolean atStart, ByteOrder byteOrder, boolean checksum) {
        this(atStart, byteOrder, checksum, Optional.empty());
    }

    /**
     * Decodes an index, and compares its checksum.
     *
     * @param encoded the stored index
     * @param rows longs in native byte order: offset of chunk {@code i} at {@code 2i}, then its
     *     size
     * @throws CodecException if the checksum is wrong
     */
    public void decode(MemorySegment encoded, MemorySegment rows) throws CodecException {
        MemorySegment payload = checksum ? new Crc32cCodec().verify(encoded) : encoded;
        if (transposed.isPresent()) {
            transposed.get().decode(payload, layout(), rows);
        } else {
            long count = rows.byteSize() / Long.BYTES;
            MemorySegment.copy(payload, layout(), 0, rows, JAVA_LONG, 0, count);
        }
    }

    /**
     * Encodes an index.
     *
     * @param rows longs in native byte order, as decoded
     * @param encoded of the size of an encoded index
     * @param workspace of the calling thread
     * @throws CodecException never
     */
    public void encode(MemorySegment rows, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        MemorySegment payload = encoded.asSlice(0, rows.byteSize());
        if (transposed.isPresent()) {
            transposed.get().encode(rows, payload, layout());
        } else {
            long count = rows.byteSize() / Long.BYTES;
            MemorySegment.copy(rows, JAVA_LONG, 0, payload, layout(), 0, count);
        }
        if (checksum) {
            new Crc32cCodec().encode(payload, encoded, workspace);
        }
    }

    private ValueLayout.OfLong layout() {
        return JAVA_LONG_UNALIGNED.withOrder(byteOrder);
    }

    /**
     * {@return the size of an encoded index in bytes}
     *
     * @param chunks inner chunks of a shard
     */
    public long encodedBytes(long chunks) {
        return chunks * ENTRY_BYTES + (checksum ? Crc32cCodec.CHECKSUM_BYTES : 0);
    }

    /** Written out, as is the hash: to link those of the record takes 5 ms of a new process. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ShardIndexCodec codec
                && atStart == codec.atStart
                && byteOrder.equals(codec.byteOrder)
                && checksum == codec.checksum
                && transposed.equals(codec.transposed);
    }

    @Override
    public int hashCode() {
        return transposed.hashCode() + (atStart ? 1 : 0) + (checksum ? 2 : 0);
    }
}
