package io.zarrengine.zarr.codec.checksum;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A checksum of 4 little-endian bytes, before or after the bytes that it covers. */
interface Checksum32 extends BytesCodec.Checksum {
    /** Size of the checksum. */
    int BYTES = Integer.BYTES;

    /** {@return whether the checksum is before the bytes} */
    boolean atStart();

    /** {@return the checksum of bytes, which are not modified} */
    int checksum(MemorySegment bytes);

    @Override
    default long encodedBytesMax(long decodedBytes) {
        return decodedBytes + BYTES;
    }

    @Override
    default long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace) {
        long bytes = decoded.byteSize();
        MemorySegment.copy(decoded, 0, encoded, atStart() ? BYTES : 0, bytes);
        encoded.set(Stored.LE_INT, atStart() ? 0 : bytes, checksum(decoded));
        return bytes + BYTES;
    }

    @Override
    default MemorySegment strip(MemorySegment encoded) throws CodecException {
        long bytes = encoded.byteSize() - BYTES;
        if (bytes < 0) {
            throw new CodecException(
                    name(), encoded.byteSize() + " bytes are too few for a checksum");
        }
        return encoded.asSlice(atStart() ? BYTES : 0, bytes);
    }

    @Override
    default MemorySegment verify(MemorySegment encoded) throws CodecException {
        MemorySegment payload = strip(encoded);
        int stored = encoded.get(Stored.LE_INT, atStart() ? 0 : payload.byteSize());
        int computed = checksum(payload);
        if (computed != stored) {
            throw new CodecException(
                    name(), "checksum is %08x, stored is %08x".formatted(computed, stored));
        }
        return payload;
    }

    /** Reads and writes a stored checksum. */
    final class Stored {
        private static final ValueLayout.OfInt LE_INT =
                JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        private Stored() {}
    }
}
