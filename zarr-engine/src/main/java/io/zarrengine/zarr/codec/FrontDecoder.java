package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** A codec of one compression format, of which the front of a chunk can be decoded alone. */
public interface FrontDecoder extends BytesCodec.PartialDecoder {
    /** {@return what makes decoders of the format} */
    CodecContext.Factory<Decompressor> decompressor();

    @Override
    default long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        return workspace.context(decompressor()).decompress(encoded, decoded);
    }

    /** Stops behind what is wanted, unless that would leave a checksum unread. */
    @Override
    default long decodeRange(
            MemorySegment encoded, MemorySegment decoded, long from, long to, Workspace workspace)
            throws CodecException {
        long front = workspace.context(decompressor()).decompressFront(encoded, decoded, to);
        return front < 0
                ? ChunkDecoder.checkedSize(
                        name(), decode(encoded, decoded, workspace), decoded.byteSize())
                : front;
    }
}
