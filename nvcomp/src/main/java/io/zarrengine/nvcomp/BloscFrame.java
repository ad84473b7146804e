package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.bindings.frames.FrameBytes;
import io.zarrengine.bindings.frames.MappedBytes;
import io.zarrengine.bindings.frames.ZlibHeader;
import io.zarrengine.cuda.Shuffle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A blosc1 chunk, divided into the streams that nvCOMP decodes. A block is one stream, or one
 * stream for each byte of an element. Each stream is a chunk for nvCOMP, or stored uncompressed.
 *
 * <p>Call {@link #refusal} first; it checks every number that is used here.
 *
 * @see <a href="https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst">c-blosc, chunk
 *     format</a>
 */
public final class BloscFrame {
    /** Receives the streams of a chunk. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a stream. The streams of a block come in order, and are contiguous in the
         * decoded block.
         *
         * @param encodedOffset offset in the chunk
         * @param encodedBytes length in the chunk
         * @param decodedOffset offset in the decoded, still shuffled chunk
         * @param decodedBytes length in the decoded chunk
         * @param isStored whether it is stored uncompressed; both lengths are equal then
         */
        void stream(
                long encodedOffset,
                int encodedBytes,
                long decodedOffset,
                int decodedBytes,
                boolean isStored);
    }

    private final MemorySegment chunk;
    private final FrameBytes bytes; // of the chunk
    private final BloscHeader header;

    private BloscFrame(MemorySegment chunk) {
        this.chunk = chunk;
        bytes = new MappedBytes(chunk);
        header = BloscHeader.read(bytes);
    }

    /**
     * {@return the reason for which nvCOMP must not decode a chunk, or empty if it may}
     *
     * @param chunk its bytes, in host memory
     * @param decodedBytes the expected decoded size, in bytes
     */
    public static Optional<String> refusal(MemorySegment chunk, long decodedBytes) {
        if (chunk.byteSize() < BloscHeader.BYTES) {
            return Optional.of(chunk.byteSize() + " bytes are too few for a header");
        }
        BloscFrame frame = new BloscFrame(chunk);
        String problem = frame.headerProblem(decodedBytes);
        return Optional.ofNullable(problem == null ? frame.blocksProblem() : problem);
    }

    /**
     * Reads a chunk's header.
     *
     * @param chunk a chunk that {@link #refusal} accepted
     * @return the chunk
     */
    public static BloscFrame read(MemorySegment chunk) {
        return new BloscFrame(chunk);
    }

    private String headerProblem(long expectedBytes) {
        int decodedBytes = header.decodedBytes();
        int encodedBytes = header.encodedBytes();
        if (header.version() != BloscHeader.VERSION) {
            return "format version " + header.version();
        }
        if (decodedBytes != expectedBytes || decodedBytes <= 0) {
            return decodedBytes + " decoded bytes, expected " + expectedBytes;
        }
        if (encodedBytes != chunk.byteSize()) {
            return encodedBytes + " encoded bytes, there are " + chunk.byteSize();
        }
        if (isStored()) {
            return encodedBytes - BloscHeader.BYTES == decodedBytes
                    ? null
                    : "a stored chunk of another size";
        }
        if (header.hasReservedFlag() || header.formatVersion() != BloscHeader.FORMAT_VERSION) {
            return "a flag or a version of the inner format that is not known";
        }
        if (format().isEmpty()) {
            return "inner format " + header.format() + " is not one of nvCOMP's";
        }
        int blockBytes = header.blockBytes();
        boolean sized =
                blockBytes > 0 && blockBytes <= header.blockBytesMax() && header.typeBytes() > 0;
        if (!sized || blockBytes % header.splits(0) != 0) {
            return "blocks of " + blockBytes + " bytes, elements of " + header.typeBytes();
        }
        return header.frontBytes() > encodedBytes
                ? "there is no room for the offsets of " + blockCount() + " blocks"
                : null;
    }

    private String blocksProblem() {
        if (isStored()) {
            return null;
        }
        for (int block = 0; block < blockCount(); block++) {
            String problem = blockProblem(block);
            if (problem != null) {
                return "block " + block + ": " + problem;
            }
        }
        return null;
    }

    private String blockProblem(int block) {
        int encodedBytes = header.encodedBytes();
        int splits = header.splits(block);
        int streamBytes = header.blockBytes(block) / splits;
        long at = header.blockOffset(bytes, block);
        if (at < header.frontBytes()) {
            return "it begins at byte " + at;
        }
        for (int split = 0; split < splits; split++) {
            if (at + BloscHeader.LENGTH_BYTES > encodedBytes) {
                return "it leaves the chunk";
            }
            int storedBytes = bytes.littleEndianInt(at);
            if (storedBytes <= 0 || storedBytes > encodedBytes - at - BloscHeader.LENGTH_BYTES) {
                return "a stream of " + storedBytes + " bytes";
            }
            Optional<String> problem =
                    storedBytes == streamBytes
                            ? Optional.empty()
                            : stream(
                                    chunk.asSlice(at + BloscHeader.LENGTH_BYTES, storedBytes),
                                    streamBytes);
            if (problem.isPresent()) {
                return problem.get();
            }
            at += (long) BloscHeader.LENGTH_BYTES + storedBytes;
        }
        return null;
    }

    private Optional<String> stream(MemorySegment stream, int streamBytes) {
        NvcompFormat format = format().orElseThrow();
        if (format != NvcompFormat.DEFLATE) {
            return FrameCheck.refusal(format, stream, streamBytes, false);
        }
        return FrameCheck.zlibBody(stream)
                .map(body -> FrameCheck.refusal(format, body, streamBytes, false))
                .orElse(Optional.of("no zlib stream"));
    }

    /** {@return whether the whole chunk is stored uncompressed after the header, as one stream} */
    public boolean isStored() {
        return header.isStored();
    }

    /** {@return the shuffle of each block, or empty if there is none} */
    public Optional<Shuffle> shuffle() {
        if (isStored()) {
            return Optional.empty();
        }
        if (header.isByteShuffled()) {
            return Optional.of(Shuffle.BYTES);
        }
        return header.isBitShuffled() ? Optional.of(Shuffle.BITS) : Optional.empty();
    }

    /** {@return the size of the elements that were shuffled, in bytes} */
    public int typeBytes() {
        return header.typeBytes();
    }

    /** {@return the size of a decoded block, in bytes; the last one may be shorter} */
    public int blockBytes() {
        return header.blockBytes();
    }

    /** {@return the format of the streams for nvCOMP, or empty for blosclz and unknown formats} */
    public Optional<NvcompFormat> format() {
        return switch (header.format()) {
            case 1 -> Optional.of(NvcompFormat.LZ4); // lz4 and lz4hc
            case 2 -> Optional.of(NvcompFormat.SNAPPY);
            case 3 -> Optional.of(NvcompFormat.DEFLATE); // zlib, without its header and checksum
            case 4 -> Optional.of(NvcompFormat.ZSTD);
            default -> Optional.empty();
        };
    }

    /**
     * Lists the streams. Those of zlib are listed without header and checksum, as nvCOMP requires;
     * the caller must align them.
     *
     * @param sink receives them, in order
     */
    public void streams(Sink sink) {
        if (isStored()) {
            int decodedBytes = header.decodedBytes();
            sink.stream(BloscHeader.BYTES, decodedBytes, 0, decodedBytes, true);
            return;
        }
        boolean isZlib = format().orElseThrow() == NvcompFormat.DEFLATE;
        for (int block = 0; block < blockCount(); block++) {
            int splits = header.splits(block);
            int streamBytes = header.blockBytes(block) / splits;
            long decodedOffset = (long) block * header.blockBytes();
            long at = header.blockOffset(bytes, block);
            for (int split = 0; split < splits; split++) {
                int storedBytes = bytes.littleEndianInt(at);
                boolean isPlain = storedBytes == streamBytes;
                boolean isWrapped = isZlib && !isPlain;
                int before = isWrapped ? ZlibHeader.BYTES : 0;
                int after = isWrapped ? ZlibHeader.TRAILER_BYTES : 0;
                sink.stream(
                        at + BloscHeader.LENGTH_BYTES + before,
                        storedBytes - before - after,
                        decodedOffset,
                        streamBytes,
                        isPlain);
                decodedOffset += streamBytes;
                at += (long) BloscHeader.LENGTH_BYTES + storedBytes;
            }
        }
    }

    /** {@return the bytes before the first stream: the header and the offsets of the blocks} */
    public int headerBytes() {
        return Math.toIntExact(header.frontBytes());
    }

    /** {@return the number of blocks, if the chunk is not stored} */
    public int blockCount() {
        return header.blockCount();
    }

    /**
     * {@return the size of a decoded stream in bytes, if the chunk is not stored; streams of the
     * last block may differ}
     */
    public int streamBytes() {
        return header.blockBytes() / header.splits(0);
    }

    /** {@return the approximate number of streams, as if the last block were like the others} */
    public int streamCount() {
        return Math.ceilDiv(header.decodedBytes(), streamBytes());
    }
}
