package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.shuffle.BytePlanes;
import io.zarrengine.zarr.shuffle.ByteShuffle;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;

/**
 * The {@code shuffle} codec: all first bytes of the elements, then all second bytes, and so on.
 *
 * @param elementBytes size of an element; 0 and 1 leave the bytes as they are
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/filter/shuffle.html">numcodecs,
 *     Shuffle</a>
 */
public record ShuffleCodec(int elementBytes) implements BytesCodec.ShuffledDecoder {
    public static final String NAME = "shuffle";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        checkWhole(decoded.byteSize());
        ByteShuffle.shuffle(
                decoded, encoded.asSlice(0, decoded.byteSize()), Math.max(elementBytes, 1));
        return decoded.byteSize();
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        long bytes = encoded.byteSize();
        if (bytes > decoded.byteSize()) {
            throw new TargetTooSmallException(NAME, decoded.byteSize());
        }
        checkWhole(bytes);
        ByteShuffle.unshuffle(encoded, decoded.asSlice(0, bytes), Math.max(elementBytes, 1));
        return bytes;
    }

    @Override
    public long decodePlanes(
            MemorySegment encoded, long decodedBytes, PlaneSink sink, Workspace workspace)
            throws CodecException {
        ChunkDecoder.checkedSize(NAME, encoded.byteSize(), decodedBytes);
        checkWhole(decodedBytes);
        if (elementBytes < 2 || sink.elementBytes() % elementBytes != 0) {
            return -1;
        }
        sink.put(BytePlanes.of(encoded, elementBytes), 0);
        return decodedBytes;
    }

    private void checkWhole(long bytes) throws CodecException {
        if (elementBytes > 1 && bytes % elementBytes != 0) {
            throw new CodecException(
                    NAME, bytes + " bytes are no whole number of elements of " + elementBytes);
        }
    }
}
