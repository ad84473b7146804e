package io.zarrengine.zarr.device;

import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.DeviceCodecs;
import java.util.function.Supplier;

/**
 * A chunk on its way to a device: bytes in a slot, and what becomes of them there.
 *
 * @param read what it is a part of
 * @param pipeline how it is encoded; null for bytes that are no chunk
 * @param codecs what is left to undo of it; null if its bytes are elements, or there are none
 * @param format what nvCOMP is to decode, or null
 * @param blosc the streams of a blosc chunk, or null
 * @param bytes its place in the slot
 * @param decodedBytes its size when decoded
 * @param piece where its elements go
 * @param label what it is, for messages
 */
record DeviceChunk(
        DeviceRead read,
        ChunkPipeline pipeline,
        DeviceCodecs codecs,
        NvcompFormat format,
        BloscStreams blosc,
        Extent bytes,
        long decodedBytes,
        Piece piece,
        Supplier<String> label) {
    /**
     * A stretch of a slot.
     *
     * @param offset in bytes
     * @param length in bytes
     */
    record Extent(long offset, long length) {
        static final Extent NONE = new Extent(0, 0);
    }

    boolean isDirect() {
        return format != null && blosc == null && piece.isWholeAndPlain();
    }

    /** {@return what it is to nvCOMP: so many chunks} */
    int streams() {
        return blosc == null ? 1 : blosc.encodedCount();
    }

    /** {@return the size of the largest of them, decoded, in bytes} */
    long streamBytesMax() {
        return blosc == null ? decodedBytes : blosc.bytesMax();
    }

    /** {@return runs of bytes that are copied before anything is placed} */
    int copies() {
        return blosc == null ? 0 : blosc.storedCount();
    }
}
