package io.zarrengine.zarr.device;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.codec.DeviceCodecs;
import java.util.List;
import java.util.function.Supplier;

/**
 * A chunk on its way to a device: bytes, and what becomes of them there.
 *
 * @param read what it is a part of
 * @param pipeline how it is encoded; null for bytes that are no chunk
 * @param codecs what is left to undo of it; null if its bytes are elements, or there are none
 * @param format what nvCOMP is to decode, or null
 * @param blosc the streams of a blosc chunk, or null
 * @param fill what each element is of a chunk that has no bytes, or null
 * @param resident its elements, if they are on the device already, or null
 * @param bytes its place, as {@link Places} says
 * @param decodedBytes its size when decoded
 * @param pieces where its elements go; at least one
 * @param label what it is, for messages
 */
record DeviceChunk(
        DeviceRead read,
        ChunkPipeline pipeline,
        DeviceCodecs codecs,
        NvcompFormat format,
        BloscStreams blosc,
        FillElement fill,
        Resident resident,
        DeviceSlice bytes,
        long decodedBytes,
        List<Piece> pieces,
        Supplier<String> label) {
    /** A chunk whose bytes are elements; or just bytes, if there is no pipeline. */
    static DeviceChunk ofElements(
            DeviceRead read,
            ChunkPipeline pipeline,
            DeviceSlice bytes,
            List<Piece> pieces,
            Supplier<String> label) {
        return new DeviceChunk(
                read,
                pipeline,
                null,
                null,
                null,
                null,
                null,
                bytes,
                bytes.byteSize(),
                pieces,
                label);
    }

    /** A chunk whose elements are on the device. */
    static DeviceChunk ofResident(
            DeviceRead read,
            Resident resident,
            DeviceSlice at,
            List<Piece> pieces,
            Supplier<String> label) {
        return new DeviceChunk(read, null, null, null, null, null, resident, at, 0, pieces, label);
    }

    /** A chunk that was never written. */
    static DeviceChunk ofFill(
            DeviceRead read, FillElement fill, DeviceSlice at, List<Piece> pieces) {
        return new DeviceChunk(
                read, null, null, null, null, fill, null, at, 0, pieces, () -> "a missing chunk");
    }

    /** {@return whether its decoded bytes go to the target as they are} */
    boolean isDirect() {
        return format != null
                && blosc == null
                && pieces.size() == 1
                && pieces.getFirst().isWholeAndPlain();
    }

    /** {@return what becomes of its numbers, or null} */
    Conversion conversion() {
        return codecs == null ? null : codecs.conversion().map(Conversions::of).orElse(null);
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
