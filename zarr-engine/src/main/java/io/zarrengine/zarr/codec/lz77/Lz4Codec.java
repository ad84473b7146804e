package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.frames.Lz4Header;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.liblz4.Liblz4;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The {@code lz4} codec of numcodecs: the decoded size as 4 little-endian bytes, then a raw block.
 *
 * @see <a href="https://numcodecs.readthedocs.io/en/stable/compression/lz4.html">numcodecs, LZ4</a>
 */
public record Lz4Codec() implements BytesCodec.PartialDecoder {
    public static final String NAME = "lz4";

    /** Creates decoders of raw blocks: machine code, then liblz4, then Java. */
    public static final CodecContext.Factory<Decompressor> DECOMPRESSOR =
            _ -> MachineCodeLz4Decompressor.orElse();

    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long DECODED_BYTES_MAX = 0x7e000000; // LZ4_MAX_INPUT_SIZE

    @Override
    public String name() {
        return NAME;
    }

    /** Adds the size of the header to LZ4_COMPRESSBOUND of lz4.h. */
    @Override
    public long encodedBytesMax(long decodedBytes) {
        return decodedBytes + decodedBytes / 255 + 16 + Lz4Header.BYTES;
    }

    @Override
    public boolean canEncode() {
        return NativeLibrary.LIBLZ4.isAvailable();
    }

    @Override
    public long encodableBytesMax() {
        return DECODED_BYTES_MAX;
    }

    @Override
    public long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        var missing = NativeLibrary.LIBLZ4.unavailabilityCause();
        if (missing.isPresent()) {
            throw new CodecException(NAME, "cannot encode: " + missing.get());
        }
        long bytes = decoded.byteSize();
        if (bytes > DECODED_BYTES_MAX) {
            throw new CodecException(NAME, "cannot encode " + bytes + " bytes: too many for lz4");
        }
        MemorySegment block = encoded.asSlice(Lz4Header.BYTES);
        int capacity = (int) Math.min(block.byteSize(), Integer.MAX_VALUE);
        int written = Liblz4.LZ4_compress_default(decoded, block, (int) bytes, capacity);
        if (written <= 0) {
            throw new CodecException(NAME, "LZ4_compress_default returned " + written);
        }
        encoded.set(LE_INT, 0, (int) bytes);
        return (long) Lz4Header.BYTES + written;
    }

    @Override
    public long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
            throws CodecException {
        long bytes = decodedBytes(encoded, decoded.byteSize());
        MemorySegment block = encoded.asSlice(Lz4Header.BYTES);
        MemorySegment target = decoded.asSlice(0, bytes);
        long written;
        try {
            written = workspace.context(DECOMPRESSOR).decompress(block, target);
        } catch (TargetTooSmallException e) {
            throw new CodecException(NAME, "is longer than its header says: " + bytes, e);
        }
        if (written != bytes) {
            throw new CodecException(
                    NAME, "decodes to " + written + " bytes, its header says " + bytes);
        }
        return bytes;
    }

    /** Stops after the last wanted byte. */
    @Override
    public long decodeRange(
            MemorySegment encoded, MemorySegment decoded, long from, long to, Workspace workspace)
            throws CodecException {
        ChunkDecoder.checkedSize(
                NAME, decodedBytes(encoded, decoded.byteSize()), decoded.byteSize());
        Decompressor decompressor = workspace.context(DECOMPRESSOR);
        MemorySegment block = encoded.asSlice(Lz4Header.BYTES);
        long front = decompressor.decompressFront(block, decoded, to);
        if (front >= 0) {
            return front;
        }
        try {
            return decode(encoded, decoded, workspace);
        } catch (CodecException e) {
            long salvaged = decompressor.salvageFront(block, decoded, to);
            if (salvaged < 0) {
                throw e;
            }
            return salvaged;
        }
    }

    /** Returns the size in the header, if the block can decode to it and the target can hold it. */
    private static long decodedBytes(MemorySegment encoded, long targetBytes)
            throws CodecException {
        long blockBytes = encoded.byteSize() - Lz4Header.BYTES;
        if (blockBytes < 0) {
            throw new CodecException(NAME, encoded.byteSize() + " bytes are too few for a header");
        }
        long bytes = Lz4Header.contentBytes(new StableBytes(encoded));
        if (bytes > Integer.MAX_VALUE || bytes > blockBytes * Lz4Header.EXPANSION_MAX) {
            throw new CodecException(
                    NAME,
                    "header says %d decoded bytes, %d bytes cannot hold them"
                            .formatted(bytes, blockBytes));
        }
        if (bytes > targetBytes) {
            throw new TargetTooSmallException(NAME, bytes, targetBytes);
        }
        return bytes;
    }
}
