package io.zarrengine.gpu.chunk;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.List;
import java.util.function.Supplier;

/**
 * A chunk on its way to a device, and what becomes of it there.
 *
 * @param read what it is a part of
 * @param encoding what is left to undo of it
 * @param fill what each element is of a chunk that has no bytes, or null
 * @param resident its elements, if they are on the device already, or null
 * @param pieces where its elements go; at least one
 * @param label what it is, for messages
 */
public record DeviceChunk(
        OwningRead read,
        DeviceEncoding encoding,
        FillElement fill,
        ResidentElements resident,
        List<Piece> pieces,
        Supplier<String> label) {
    /** A chunk that has bytes, or bytes that are no chunk. */
    public static DeviceChunk ofBytes(
            OwningRead read, DeviceEncoding encoding, List<Piece> pieces, Supplier<String> label) {
        return new DeviceChunk(read, encoding, null, null, pieces, label);
    }

    /** A chunk whose elements are on the device. */
    public static DeviceChunk ofResident(
            OwningRead read,
            ResidentElements resident,
            List<Piece> pieces,
            Supplier<String> label) {
        return new DeviceChunk(read, DeviceEncoding.NONE, null, resident, pieces, label);
    }

    /** A chunk that was never written. */
    public static DeviceChunk ofFill(OwningRead read, FillElement fill, List<Piece> pieces) {
        return new DeviceChunk(
                read, DeviceEncoding.NONE, fill, null, pieces, () -> "a missing chunk");
    }

    /** {@return what nvCOMP is to decode, or null} */
    public NvcompFormat format() {
        return encoding.format();
    }

    /** {@return the streams of a blosc chunk, or null} */
    public BloscStreams blosc() {
        return encoding.blosc();
    }

    /** {@return its size when decoded, in bytes; 0 if there is nothing to decode} */
    public long decodedBytes() {
        return encoding.decodedBytes();
    }

    /** {@return whether its decoded bytes go to the target as they are} */
    public boolean isDirect() {
        return format() != null
                && format().keepsToTarget()
                && blosc() == null
                && pieces.size() == 1
                && pieces.getFirst().shape().isWholeAndPlain();
    }

    /** {@return what it is to nvCOMP: so many chunks} */
    public int streams() {
        return blosc() == null ? 1 : blosc().encodedCount();
    }

    /** {@return the size of the largest of them, decoded, in bytes} */
    public long streamBytesMax() {
        return blosc() == null ? decodedBytes() : blosc().bytesMax();
    }

    /** {@return runs of bytes that are copied before anything is placed} */
    public int copies() {
        return blosc() == null ? 0 : blosc().storedCount();
    }
}
