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
 * How the index of a shard is stored: an array {@code (chunks, 2)} of uint64, offset and size of
 * each inner chunk.
 *
 * @param atStart whether it stands before the chunks, else behind them
 * @param byteOrder of its numbers
 * @param checksum whether a CRC-32C of it follows
 * @param transposed the order of its numbers; empty for C order
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public record ShardIndexCodec(
        boolean atStart, ByteOrder byteOrder, boolean checksum, Optional<IndexOrder> transposed) {
    /** Bytes of the entry of one inner chunk. */
    public static final int ENTRY_BYTES = 2 * Long.BYTES;

    /**
     * An index whose numbers are in C order.
     *
     * @param atStart whether it stands before the chunks, else behind them
     * @param byteOrder of its numbers
     * @param checksum whether a CRC-32C of it follows
     */
    public ShardIndexCodec(boolean atStart, ByteOrder byteOrder, boolean checksum) {
        this(atStart, byteOrder, checksum, Optional.empty());
    }

    /**
     * Decodes an index, and compares its checksum.
     *
     * @param encoded the stored index
     * @param rows longs in native byte order: offset of chunk {@code i} at {@code 2i}, its size
     *     behind it
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
     * @param encoded as large as an encoded index
     * @param workspace the calling thread's
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
}
