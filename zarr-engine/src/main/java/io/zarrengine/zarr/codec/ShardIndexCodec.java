package io.zarrengine.zarr.codec;

import java.nio.ByteOrder;

/**
 * How the index of a shard is stored: an array {@code (chunks, 2)} of uint64, offset and size of
 * each inner chunk.
 *
 * @param atStart whether it stands before the chunks, else behind them
 * @param byteOrder of its numbers
 * @param checksum whether a CRC-32C of it follows
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/index.html">
 *     Zarr v3, sharding codec, "Binary shard format"</a>
 */
public record ShardIndexCodec(boolean atStart, ByteOrder byteOrder, boolean checksum) {
    /** Bytes of the entry of one inner chunk. */
    public static final int ENTRY_BYTES = 2 * Long.BYTES;

    /**
     * {@return the size of an encoded index in bytes}
     *
     * @param chunks inner chunks of a shard
     */
    public long encodedBytes(long chunks) {
        return chunks * ENTRY_BYTES + (checksum ? Crc32cCodec.CHECKSUM_BYTES : 0);
    }
}
