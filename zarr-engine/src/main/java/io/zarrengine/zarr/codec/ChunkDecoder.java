package io.zarrengine.zarr.codec;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import io.zarrengine.zarr.memory.MemoryShortException;
import io.zarrengine.zarr.shuffle.PlaneSink;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Undoes the bytes-to-bytes codecs of a chunk. Owner: one thread, with its {@link Workspace}.
 *
 * <p>Codecs decode to two buffers of the workspace in turns. A checksum codec leaves the bytes
 * where they are. The last codec writes directly to the target.
 */
public final class ChunkDecoder {
    /**
     * Memory tried first for a chunk of unknown size, and the factor by which it grows if that is
     * too little.
     */
    private static final long UNKNOWN_BYTES_MIN = 64 << 10;

    private static final long UNKNOWN_GROWTH = 4;

    private ChunkDecoder() {}

    /**
     * Decodes a chunk.
     *
     * @param codecs in the order of encoding
     * @param encoded one encoded chunk; not modified
     * @param target native memory of the decoded size, or more
     * @param workspace of the calling thread
     * @return the decoded bytes: the front of {@code target} if the first codec is a compressor,
     *     otherwise a slice of other memory, valid until the workspace is used again
     * @throws TargetTooSmallException if it decodes to more than the target holds
     * @throws CodecException if the chunk is corrupt
     */
    public static MemorySegment decode(
            List<BytesCodec> codecs,
            MemorySegment encoded,
            MemorySegment target,
            Workspace workspace)
            throws CodecException {
        MemorySegment bytes = undo(codecs, 0, encoded, target, target.byteSize(), workspace);
        if (!codecs.isEmpty() && bytes.byteSize() > target.byteSize()) { // not written there
            throw new TargetTooSmallException(codecs.getFirst().name(), target.byteSize());
        }
        return bytes;
    }

    /**
     * {@return whether a part of a chunk can be decoded without the rest}
     *
     * @param codecs in the order of encoding
     * @param decodedBytes the chunk's decoded size
     */
    public static boolean decodesRanges(List<BytesCodec> codecs, long decodedBytes) {
        return !codecs.isEmpty()
                && codecs.getFirst() instanceof BytesCodec.PartialDecoder codec
                && codec.decodesPartsOf(decodedBytes);
    }

    /**
     * {@return the decoded size of a chunk, if it is the expected one}
     *
     * @param codec name of the codec that decoded it
     * @param expected the required size
     */
    public static long checkedSize(String codec, long decodedBytes, long expected)
            throws CodecException {
        if (decodedBytes != expected) {
            throw new CodecException(
                    codec, "decodes to " + decodedBytes + " bytes, expected " + expected);
        }
        return decodedBytes;
    }

    /**
     * Decodes at least a part of a chunk, to its place in {@code target}.
     *
     * @param codecs in the order of encoding; only the first may decode a part
     * @param encoded one encoded chunk; not modified
     * @param target native memory of exactly the decoded size
     * @param from the first wanted byte
     * @param to the end of the wanted bytes, exclusive
     * @param workspace of the calling thread
     * @return number of decoded bytes
     * @throws CodecException if the part that was read is corrupt, or the chunk has another decoded
     *     size
     */
    public static long decodeRange(
            List<BytesCodec> codecs,
            MemorySegment encoded,
            MemorySegment target,
            long from,
            long to,
            Workspace workspace)
            throws CodecException {
        MemorySegment bytes = undo(codecs, 1, encoded, null, target.byteSize(), workspace);
        return ((BytesCodec.PartialDecoder) codecs.getFirst())
                .decodeRange(bytes, target, from, to, workspace);
    }

    /**
     * {@return whether a chunk may be decoded to planes of bytes}
     *
     * @param codecs in the order of encoding
     */
    public static boolean decodesPlanes(List<BytesCodec> codecs) {
        return !codecs.isEmpty() && codecs.getFirst() instanceof BytesCodec.ShuffledDecoder;
    }

    /**
     * Decodes at least a part of a chunk, to planes of bytes if the elements are shuffled in a way
     * that the sink takes; otherwise to the sink's memory.
     *
     * @param codecs in the order of encoding; only the first may decode a part
     * @param encoded one encoded chunk; not modified
     * @param decodedBytes exactly the decoded size
     * @param sink gets the elements
     * @param workspace of the calling thread
     * @return number of decoded bytes
     * @throws CodecException if the part that was read is corrupt, or the chunk has another decoded
     *     size
     */
    public static long decodePlanes(
            List<BytesCodec> codecs,
            MemorySegment encoded,
            long decodedBytes,
            PlaneSink sink,
            Workspace workspace)
            throws CodecException {
        MemorySegment bytes = undo(codecs, 1, encoded, null, decodedBytes, workspace);
        BytesCodec.ShuffledDecoder codec = (BytesCodec.ShuffledDecoder) codecs.getFirst();
        long decoded = codec.decodePlanes(bytes, decodedBytes, sink, workspace);
        if (decoded >= 0) {
            return decoded;
        }
        MemorySegment target = sink.memory(decodedBytes);
        return decodeAtOnce(codec, bytes, target, sink.from(), sink.to(), workspace);
    }

    /** Decodes a range of a chunk if the codec can, otherwise the whole chunk. */
    private static long decodeAtOnce(
            BytesCodec.Compressor codec,
            MemorySegment bytes,
            MemorySegment target,
            long from,
            long to,
            Workspace workspace)
            throws CodecException {
        return codec instanceof BytesCodec.PartialDecoder partial
                ? partial.decodeRange(bytes, target, from, to, workspace)
                : checkedSize(
                        codec.name(), codec.decode(bytes, target, workspace), target.byteSize());
    }

    /**
     * {@return whether a chunk may be decoded block by block}
     *
     * @param codecs in the order of encoding
     * @param decodedBytes the chunk's decoded size
     */
    public static boolean streams(List<BytesCodec> codecs, long decodedBytes) {
        return !codecs.isEmpty()
                && codecs.getFirst() instanceof BytesCodec.StreamingDecoder codec
                && codec.streamsChunksOf(decodedBytes);
    }

    /**
     * Decodes a chunk in order, block by block, up to the end of the bytes that a sink wants. A
     * chunk that cannot be decoded in blocks is one block.
     *
     * @param codecs in the order of encoding; only the first may decode in blocks
     * @param encoded one encoded chunk; not modified
     * @param decodedBytes exactly the decoded size
     * @param sink gets the blocks
     * @param workspace of the calling thread
     * @return number of decoded bytes
     * @throws CodecException if the part that was read is corrupt, or the chunk has another decoded
     *     size; the sink may have got blocks
     */
    public static long stream(
            List<BytesCodec> codecs,
            MemorySegment encoded,
            long decodedBytes,
            BlockSink sink,
            Workspace workspace)
            throws CodecException {
        MemorySegment bytes = undo(codecs, 1, encoded, null, decodedBytes, workspace);
        BytesCodec.StreamingDecoder codec = (BytesCodec.StreamingDecoder) codecs.getFirst();
        long streamed = codec.stream(bytes, decodedBytes, sink, workspace);
        if (streamed >= 0) {
            return streamed;
        }
        MemorySegment whole = workspace.result(decodedBytes);
        long decoded = decodeAtOnce(codec, bytes, whole, 0, sink.to(), workspace);
        sink.put(whole.asSlice(0, decoded), 0);
        return decoded;
    }

    /**
     * Undoes all codecs from the last one to the one at index {@code first}; {@code target} is for
     * the output of the codec at index 0.
     */
    private static MemorySegment undo(
            List<BytesCodec> codecs,
            int first,
            MemorySegment encoded,
            MemorySegment target,
            long decodedBytes,
            Workspace workspace)
            throws CodecException {
        MemorySegment bytes = encoded;
        int buffer = 0;
        for (int i = codecs.size() - 1; i >= first; i--) {
            bytes =
                    switch (codecs.get(i)) {
                        case BytesCodec.Checksum checksum ->
                                workspace.verifiesChecksums()
                                        ? checksum.verify(bytes)
                                        : checksum.strip(bytes);
                        case BytesCodec.Compressor codec -> {
                            MemorySegment to =
                                    i == 0
                                            ? target
                                            : between(codecs, i, decodedBytes, workspace, buffer);
                            buffer ^= 1;
                            yield to.asSlice(0, codec.decode(bytes, to, workspace));
                        }
                    };
        }
        return bytes;
    }

    /**
     * Decodes a chunk whose decoded size is not known.
     *
     * @param codecs in the order of encoding
     * @param encoded one encoded chunk; not modified
     * @param bytesMax limit of the decoded size
     * @param spareBytes memory that the caller needs later from the same budget
     * @param workspace of the calling thread
     * @return the decoded bytes, valid until the workspace is used again
     * @throws CodecException if the chunk is corrupt, or exceeds the limit
     * @throws MemoryShortException if it needs more memory than is available, now or at all
     */
    public static MemorySegment decodeUnknownSize(
            List<BytesCodec> codecs,
            MemorySegment encoded,
            long bytesMax,
            long spareBytes,
            Workspace workspace)
            throws CodecException {
        long available = workspace.bufferBytesMax();
        long most = available - Math.min(spareBytes, available / 2);
        long first = Math.max(UNKNOWN_BYTES_MIN, UNKNOWN_GROWTH * encoded.byteSize());
        long bytes = fitting(codecs, Math.min(first, bytesMax), most);
        while (true) {
            try {
                return decode(codecs, encoded, workspace.result(bytes), workspace);
            } catch (TargetTooSmallException e) {
                if (bytes >= bytesMax) {
                    throw e;
                }
                long more = fitting(codecs, Math.min(UNKNOWN_GROWTH * bytes, bytesMax), most);
                if (more <= bytes) {
                    throw new MemoryShortException(available + 1, available); // or more
                }
                bytes = more;
            }
        }
    }

    /**
     * Returns the largest result up to a size that fits together with the buffers between codecs,
     * which grow with it.
     */
    private static long fitting(List<BytesCodec> codecs, long bytes, long most) {
        long needed = Workspace.bufferBytes(bytes);
        long margin = Workspace.bufferBytes(1); // the most that rounding adds to a buffer
        for (int i = 1; i < codecs.size(); i++) {
            if (codecs.get(i) instanceof BytesCodec.Compressor) {
                needed += Workspace.bufferBytes(betweenBytes(codecs, i, bytes));
                margin += Workspace.bufferBytes(1);
            }
        }
        return needed <= most
                ? bytes
                : Math.max((long) ((double) bytes * most / needed) - margin, 0);
    }

    /** Returns memory for the output of codec {@code i}, which is not the first one. */
    private static MemorySegment between(
            List<BytesCodec> codecs, int i, long decodedBytes, Workspace workspace, int buffer) {
        return workspace.buffer(buffer, betweenBytes(codecs, i, decodedBytes));
    }

    private static long betweenBytes(List<BytesCodec> codecs, int i, long decodedBytes) {
        long bytes = decodedBytes;
        for (BytesCodec before : codecs.subList(0, i)) {
            bytes = before.encodedBytesMax(bytes);
        }
        return bytes;
    }
}
