package io.zarrengine.gpu;

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
record DeviceChunk(
        DeviceRead read,
        Encoding encoding,
        FillElement fill,
        Resident resident,
        List<Piece> pieces,
        Supplier<String> label) {
    /** A chunk that has bytes, or bytes that are no chunk. */
    static DeviceChunk ofBytes(
            DeviceRead read, Encoding encoding, List<Piece> pieces, Supplier<String> label) {
        return new DeviceChunk(read, encoding, null, null, pieces, label);
    }

    /** A chunk whose elements are on the device. */
    static DeviceChunk ofResident(
            DeviceRead read, Resident resident, List<Piece> pieces, Supplier<String> label) {
        return new DeviceChunk(read, Encoding.NONE, null, resident, pieces, label);
    }

    /** A chunk that was never written. */
    static DeviceChunk ofFill(DeviceRead read, FillElement fill, List<Piece> pieces) {
        return new DeviceChunk(read, Encoding.NONE, fill, null, pieces, () -> "a missing chunk");
    }

    /** {@return what nvCOMP is to decode, or null} */
    NvcompFormat format() {
        return encoding.format();
    }

    /** {@return the streams of a blosc chunk, or null} */
    BloscStreams blosc() {
        return encoding.blosc();
    }

    /** {@return its size when decoded, in bytes; 0 if there is nothing to decode} */
    long decodedBytes() {
        return encoding.decodedBytes();
    }

    /** {@return whether its decoded bytes go to the target as they are} */
    boolean isDirect() {
        return format() != null
                && format().keepsToTarget()
                && blosc() == null
                && pieces.size() == 1
                && pieces.getFirst().shape().isWholeAndPlain();
    }

    /** {@return what it is to nvCOMP: so many chunks} */
    int streams() {
        return blosc() == null ? 1 : blosc().encodedCount();
    }

    /** {@return the size of the largest of them, decoded, in bytes} */
    long streamBytesMax() {
        return blosc() == null ? decodedBytes() : blosc().bytesMax();
    }

    /** {@return runs of bytes that are copied before anything is placed} */
    int copies() {
        return blosc() == null ? 0 : blosc().storedCount();
    }
}
