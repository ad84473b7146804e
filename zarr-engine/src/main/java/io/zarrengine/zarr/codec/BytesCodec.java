package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;

/**
 * A bytes-to-bytes codec with its configuration. Immutable; everything else that decoding needs
 * comes from the {@link Workspace} of the calling thread.
 *
 * <p>The caller owns both segments. A codec uses neither of them after the call, and writes nothing
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
     * {@return the largest encoded size of {@code decodedBytes} bytes}
     *
     * @param decodedBytes size before encoding, {@code >= 0}
     */
    long encodedBytesMax(long decodedBytes);

    /**
     * Encodes all of {@code decoded} to the front of {@code encoded}.
     *
     * @param decoded the bytes to encode; not modified
     * @param encoded target of at least {@link #encodedBytesMax} bytes
     * @param workspace of the calling thread
     * @return bytes written
     * @throws CodecException if the library fails
     */
    long encode(MemorySegment decoded, MemorySegment encoded, Workspace workspace)
            throws CodecException;

    /** A codec that does not change the bytes and adds a checksum before or after them. */
    non-sealed interface Checksum extends BytesCodec {
        /**
         * {@return the bytes without their checksum, which is not compared: a slice of {@code
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

    /** A codec that decodes to other memory. */
    non-sealed interface Compressor extends BytesCodec {
        /**
         * Decodes all of {@code encoded} to the front of {@code decoded}.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decoded target
         * @param workspace of the calling thread
         * @return bytes written
         * @throws TargetTooSmallException if it decodes to more than the target holds; the target's
         *     content is then undefined
         * @throws CodecException if the input is corrupt; the target's content is then undefined
         */
        long decode(MemorySegment encoded, MemorySegment decoded, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that shuffles elements, and can leave unshuffling to the caller. */
    interface ShuffledDecoder extends Compressor {
        /**
         * Decodes at least the elements that a sink wants, block by block.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decodedBytes exactly the decoded size
         * @param sink gets the elements
         * @param workspace of the calling thread
         * @return number of decoded bytes; -1, without a call of the sink, if this chunk's elements
         *     are not shuffled, or their size does not fit the sink's
         * @throws CodecException if the part that was read is corrupt, or the chunk has another
         *     decoded size
         */
        long decodePlanes(
                MemorySegment encoded, long decodedBytes, PlaneSink sink, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that can decode a small chunk and place its rows in one call. */
    interface BoxDecoder extends Compressor {
        /**
         * {@return the calls of a workspace; null if this machine has none}
         *
         * @param workspace of the calling thread
         * @throws CodecException never
         */
        BoxCall boxCall(Workspace workspace) throws CodecException;
    }

    /** A compressor that can decode a large chunk in order, in less memory than the chunk takes. */
    interface StreamingDecoder extends Compressor {
        /**
         * {@return whether streaming may save memory}
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
         * @param workspace of the calling thread
         * @return number of decoded bytes; -1, without a call of the sink, if this chunk must be
         *     decoded at once
         * @throws CodecException if the part that was read is corrupt, or the chunk has another
         *     decoded size; the sink may have got blocks
         */
        long stream(MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
                throws CodecException;
    }

    /** A compressor that can decode a part of a chunk without decoding all of it. */
    interface PartialDecoder extends Compressor {
        /**
         * {@return whether a part may take less time than the whole}
         *
         * @param decodedBytes the decoded size of a chunk
         */
        default boolean decodesPartsOf(long decodedBytes) {
            return true;
        }

        /**
         * Decodes at least the bytes from {@code from} to {@code to} to their place in {@code
         * decoded}. The other bytes are undefined, and damage to them may go unnoticed.
         *
         * @param encoded exactly one encoded chunk; not modified
         * @param decoded target of exactly the decoded size
         * @param from the first wanted byte
         * @param to the end of the wanted bytes, exclusive
         * @param workspace of the calling thread
         * @return number of decoded bytes
         * @throws CodecException if the part that was read is corrupt, or the chunk has another
         *     decoded size (which zlib does not state in advance); the target's content is then
         *     undefined
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
