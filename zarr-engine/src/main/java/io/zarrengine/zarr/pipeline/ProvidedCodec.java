package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.extension.BytesDecoder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A codec of the user that can only decode.
 *
 * @param name in metadata
 * @param decoder of the user
 */
record ProvidedCodec(String name, BytesDecoder decoder) implements BytesCodec.Compressor {
    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decoder.encodedBytesMax(decodedBytes);
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace) {
        throw new UnsupportedOperationException(name + " can only be read");
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        long bytes;
        try {
            bytes = decoder.decode(encoded.asReadOnly(), decoded);
        } catch (IOException e) {
            throw new CodecException(name, e.getMessage(), e);
        } catch (IndexOutOfBoundsException e) {
            throw new TargetTooSmallException(name, decoded.byteSize());
        } catch (RuntimeException e) {
            if (!decoded.scope().isAlive()) {
                throw e; // the reader's fault, not the decoder's
            }
            throw new CodecException(name, "its decoder failed: " + e, e);
        }
        if (bytes < 0 || bytes > decoded.byteSize()) {
            throw new CodecException(
                    name, "says that it wrote " + bytes + " of " + decoded.byteSize() + " bytes");
        }
        return bytes;
    }
}
