package io.zarrengine.gpu.chunk;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.List;
import java.util.function.Supplier;

/**
 * A chunk on its way to a device.
 *
 * @param read the read that it belongs to
 * @param encoding the encoding that the device must undo
 * @param fill the value of each element of a chunk without bytes, or null
 * @param resident its elements, if they are already on the device, or null
 * @param pieces the targets of its elements; at least one
 * @param label the chunk's name in messages
 */
public record DeviceChunk(
        OwningRead read,
        DeviceEncoding encoding,
        FillElement fill,
        ResidentElements resident,
        List<Piece> pieces,
        Supplier<String> label) {
    /** Returns a chunk with bytes. They may also be plain bytes that are no chunk. */
    public static DeviceChunk ofBytes(
            OwningRead read, DeviceEncoding encoding, List<Piece> pieces, Supplier<String> label) {
        return new DeviceChunk(read, encoding, null, null, pieces, label);
    }

    /** Returns a chunk whose elements are already on the device. */
    public static DeviceChunk ofResident(
            OwningRead read,
            ResidentElements resident,
            List<Piece> pieces,
            Supplier<String> label) {
        return new DeviceChunk(read, DeviceEncoding.NONE, null, resident, pieces, label);
    }

    /** Returns a chunk that was never written. */
    public static DeviceChunk ofFill(OwningRead read, FillElement fill, List<Piece> pieces) {
        return new DeviceChunk(
                read, DeviceEncoding.NONE, fill, null, pieces, () -> "a missing chunk");
    }

    /** {@return the format that nvCOMP must decode, or null} */
    public NvcompFormat format() {
        return encoding.format();
    }

    /** {@return the streams of a blosc chunk, or null} */
    public BloscStreams blosc() {
        return encoding.blosc();
    }

    /** {@return the decoded size in bytes; 0 if there is nothing to decode} */
    public long decodedBytes() {
        return encoding.decodedBytes();
    }

    /** {@return whether nvCOMP decodes the chunk directly to its target} */
    public boolean isDirect() {
        return format() != null
                && format().keepsToTarget()
                && blosc() == null
                && pieces.size() == 1
                && pieces.getFirst().shape().isWholeAndPlain();
    }

    /** {@return the number of chunks that nvCOMP sees in this one} */
    public int streams() {
        return blosc() == null ? 1 : blosc().encodedCount();
    }

    /** {@return the decoded size of the largest of those, in bytes} */
    public long streamBytesMax() {
        return blosc() == null ? decodedBytes() : blosc().bytesMax();
    }

    /** {@return the number of byte runs that are copied before elements are placed} */
    public int copies() {
        return blosc() == null ? 0 : blosc().storedCount();
    }
}
