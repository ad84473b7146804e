package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The {@code crc32c} codec: the bytes, then their CRC-32C as 4 little-endian bytes.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html">Zarr v3,
 *     crc32c codec</a>
 */
public record Crc32cCodec() implements BytesCodec.Checksum {
    static final String NAME = "crc32c";

    /** Bytes of the checksum. */
    public static final int CHECKSUM_BYTES = Integer.BYTES;

    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + CHECKSUM_BYTES;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace) {
        long bytes = decoded.byteSize();
        MemorySegment.copy(decoded, 0, encoded, 0, bytes);
        encoded.set(LE_INT, bytes, checksum(decoded));
        return bytes + CHECKSUM_BYTES;
    }

    @Override
    public MemorySegment verify(MemorySegment encoded) throws CodecException {
        long bytes = encoded.byteSize() - CHECKSUM_BYTES;
        if (bytes < 0) {
            throw new CodecException(
                    NAME, encoded.byteSize() + " bytes are too few for a checksum");
        }
        MemorySegment payload = encoded.asSlice(0, bytes);
        int stored = encoded.get(LE_INT, bytes);
        int computed = checksum(payload);
        if (computed != stored) {
            throw new CodecException(
                    NAME, "checksum is %08x, stored is %08x".formatted(computed, stored));
        }
        return payload;
    }

    private static int checksum(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        ByteBuffers.update(crc, bytes);
        return (int) crc.getValue();
    }
}
