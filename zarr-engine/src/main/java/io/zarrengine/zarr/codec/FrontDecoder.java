package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** A codec of one compression format that can decode the front of a chunk alone. */
public interface FrontDecoder extends BytesCodec.PartialDecoder {
    /** {@return the factory of the format's decoders} */
    CodecContext.Factory<Decompressor> decompressor();

    @Override
    default long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        return workspace.context(decompressor()).decompress(encoded, decoded);
    }

    /** Stops after the wanted bytes, unless that would leave a checksum unread. */
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
