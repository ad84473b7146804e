package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;

/**
 * A bytes-to-bytes codec with its configuration. Immutable; what decoding needs besides comes from
 * the {@link Workspace} of the calling thread.
 *
 * <p>The caller owns both segments. A codec keeps neither of them past the call, and writes nothing
 * outside its target, whatever the input.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html#chunk-encoding">Zarr
 *     v3, "Chunk encoding"</a>
 */
public sealed interface BytesCodec permits BytesCodec.Checksum, BytesCodec.Compressor {
    /** {@return the name in {@code zarr.json}, e.g. {@code "zstd"}} */
    String name();

    /** {@return whether chunks can be encoded on this machine} */
    default boolean canEncode() {
        return true;
    }

    /** {@return the size in bytes of the largest chunk that can be encoded} */
    default long encodableBytesMax() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return how many bytes the encoded form of {@code decodedBytes} bytes can have at most}
     *
     * @param decodedBytes size before encoding, {@code >= 0}
     */
    long encodedBytesMax(long decodedBytes);

    /**
     * Encodes all of {@code decoded} to the front of {@code encoded}.
     *
     * @param decoded what to encode; not modified
     * @param encoded target of at least {@link #encodedBytesMax} bytes
     * @param workspace the calling thread's
     * @return bytes written
     * @throws CodecException if the library fails
     */
    long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException;

    /** A codec that leaves the bytes as they are and adds a checksum before or behind them. */
    non-sealed interface Checksum extends BytesCodec {
        /**
         * {@return the bytes without their checksum, which is not looked at: a slice of {@code
         * encoded}}
         *
         * @param encoded the bytes with their checksum
         * @throws CodecException if they are too few to hold one
         */
        MemorySegment strip(MemorySegment encoded) throws CodecException;

        /**
         * {@return the bytes without their checksum: a slice of {@code encoded}}
         *
         * @param encoded the bytes with their checksum
         * @throws CodecException if it does not fit the bytes
         */
        MemorySegment verify(MemorySegment encoded) throws CodecException;
    }

    /** A codec that writes what it decodes to other memory. */
    non-sealed interface Compressor extends BytesCodec {
        /**
         * Decodes all of {@code encoded} to the front of {@code decoded}.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decoded target
         * @param workspace the calling thread's
         * @return bytes written
         * @throws TargetTooSmallException if it decodes to more than the target holds; the target's
         *     content is then undefined
         * @throws CodecException if the input is corrupt; the target's content is then undefined
         */
        long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that shuffles elements, and can leave it to others to undo that. */
    interface ShuffledDecoder extends Compressor {
        /**
         * Decodes at least the elements that a sink wants, block by block.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decodedBytes exactly the decoded size
         * @param sink gets the elements
         * @param workspace the calling thread's
         * @return how many bytes were decoded; -1, and nothing has come, if this chunk's elements
         *     are not shuffled, or not in whole elements of the sink's
         * @throws CodecException if what was looked at is corrupt, or the chunk has another decoded
         *     size
         */
        long decodePlanes(
                MemorySegment encoded, long decodedBytes, PlaneSink sink, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that can decode a large chunk in order, in less memory than the chunk takes. */
    interface StreamingDecoder extends Compressor {
        /**
         * {@return whether that may save anything}
         *
         * @param decodedBytes the decoded size of a chunk
         */
        boolean streamsChunksOf(long decodedBytes);

        /**
         * Decodes at least up to the last byte that a sink wants, block by block.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decodedBytes exactly the decoded size
         * @param sink gets the blocks
         * @param workspace the calling thread's
         * @return how many bytes were decoded; -1, and nothing has come, if this chunk must be
         *     decoded at once
         * @throws CodecException if what was looked at is corrupt, or the chunk has another decoded
         *     size; something may have come
         */
        long stream(MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that can decode a part of a chunk without all that is before or behind it. */
    interface PartialDecoder extends Compressor {
        /**
         * {@return whether a part may take less than the whole}
         *
         * @param decodedBytes the decoded size of a chunk
         */
        default boolean decodesPartsOf(long decodedBytes) {
            return true;
        }

        /**
         * Decodes at least the bytes from {@code from} to {@code to} to their place in {@code
         * decoded}. The others are undefined, and damage to them may stay unseen.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decoded target of exactly the decoded size
         * @param from the first byte wanted
         * @param to the byte behind the last one wanted
         * @param workspace the calling thread's
         * @return how many bytes were decoded
         * @throws CodecException if what was looked at is corrupt, or the chunk has another decoded
         *     size (which zlib does not tell beforehand); the target's content is then undefined
         */
        long decodeRange(
                MemorySegment encoded,
                MemorySegment decoded,
                long from,
                long to,
                Workspace workspace)
                throws CodecException;
    }
}
