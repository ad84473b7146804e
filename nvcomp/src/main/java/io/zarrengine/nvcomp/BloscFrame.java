package io.zarrengine.nvcomp;

import io.zarrengine.bindings.MappedBytes;
import io.zarrengine.cuda.Shuffle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A blosc1 chunk, cut into the streams that nvCOMP decodes: a block is one stream, or one for each
 * byte of an element, and each stream is a chunk of its own for nvCOMP, or bytes stored as they
 * are.
 *
 * <p>{@link #refusal} is asked first; every number here is checked there.
 *
 * @see <a href="https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst">c-blosc, chunk
 *     format</a>
 */
public final class BloscFrame {
    /** Before each stream: how long it is. */
    public static final int LENGTH_BYTES = 4;

    /** Takes the streams of a chunk. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes a stream; those of one block in order, each behind the last in the decoded block.
         *
         * @param encodedOffset where it begins in the chunk
         * @param encodedBytes its length there
         * @param decodedOffset where it goes in the decoded, still shuffled chunk
         * @param decodedBytes its length there
         * @param isStored whether it is stored: then both lengths are equal
         */
        void stream(
                long encodedOffset,
                int encodedBytes,
                long decodedOffset,
                int decodedBytes,
                boolean isStored);
    }

    private static final int HEADER_BYTES = 16;
    private static final int VERSION = 2; // BLOSC_VERSION_FORMAT; 3 and later are c-blosc2's
    private static final int FORMAT_VERSION = 1; // BLOSC_LZ4_VERSION_FORMAT, and the others

    private static final int BYTE_SHUFFLED = 0x1;
    private static final int STORED = 0x2;
    private static final int BIT_SHUFFLED = 0x4;
    private static final int RESERVED = 0x8;
    private static final int NOT_SPLIT = 0x10;
    private static final int FORMAT_SHIFT = 5;

    private static final int SPLITS_MAX = 16; // blosc.c: MAX_SPLITS
    private static final int SPLIT_BYTES_MIN = 128; // MIN_BUFFERSIZE

    private final MemorySegment chunk;
    private final MappedBytes bytes; // the chunk's
    private final int flags;
    private final int typeBytes;
    private final int decodedBytes;
    private final int blockBytes;
    private final int encodedBytes;

    private BloscFrame(MemorySegment chunk) {
        this.chunk = chunk;
        bytes = new MappedBytes(chunk);
        flags = bytes.unsignedByte(2);
        typeBytes = bytes.unsignedByte(3);
        decodedBytes = bytes.littleEndianInt(4);
        blockBytes = bytes.littleEndianInt(8);
        encodedBytes = bytes.littleEndianInt(12);
    }

    /**
     * {@return why nvCOMP must not decode a chunk, or empty if it may}
     *
     * @param chunk its bytes, in host memory
     * @param decodedBytes what it is to decode to, in bytes
     */
    public static Optional<String> refusal(MemorySegment chunk, long decodedBytes) {
        if (chunk.byteSize() < HEADER_BYTES) {
            return Optional.of(chunk.byteSize() + " bytes are too few for a header");
        }
        BloscFrame frame = new BloscFrame(chunk);
        String problem = frame.header(decodedBytes);
        return Optional.ofNullable(problem == null ? frame.blocks() : problem);
    }

    /**
     * Reads a chunk's header.
     *
     * @param chunk one that {@link #refusal} let pass
     * @return the chunk
     */
    public static BloscFrame read(MemorySegment chunk) {
        return new BloscFrame(chunk);
    }

    private String header(long expectedBytes) {
        int version = bytes.unsignedByte(0);
        if (version != VERSION) {
            return "format version " + version;
        }
        if (decodedBytes != expectedBytes || decodedBytes <= 0) {
            return decodedBytes + " decoded bytes, expected " + expectedBytes;
        }
        if (encodedBytes != chunk.byteSize()) {
            return encodedBytes + " encoded bytes, there are " + chunk.byteSize();
        }
        if (isStored()) {
            return encodedBytes - HEADER_BYTES == decodedBytes
                    ? null
                    : "a stored chunk of another size";
        }
        if ((flags & RESERVED) != 0 || bytes.unsignedByte(1) != FORMAT_VERSION) {
            return "a flag or a version of the inner format that is not known";
        }
        if (format().isEmpty()) {
            return "inner format " + (flags >> FORMAT_SHIFT) + " is not one of nvCOMP's";
        }
        boolean sized = blockBytes > 0 && blockBytes <= decodedBytes && typeBytes > 0;
        if (!sized || blockBytes % splits(0) != 0) {
            return "blocks of " + blockBytes + " bytes, elements of " + typeBytes;
        }
        return HEADER_BYTES + 4L * blockCount() > encodedBytes
                ? "there is no room for the offsets of " + blockCount() + " blocks"
                : null;
    }

    private String blocks() {
        if (isStored()) {
            return null;
        }
        for (int block = 0; block < blockCount(); block++) {
            String problem = block(block);
            if (problem != null) {
                return "block " + block + ": " + problem;
            }
        }
        return null;
    }

    private String block(int block) {
        int splits = splits(block);
        int streamBytes = blockBytes(block) / splits;
        long at = blockOffset(block);
        if (at < HEADER_BYTES + 4L * blockCount()) {
            return "it begins at byte " + at;
        }
        for (int split = 0; split < splits; split++) {
            if (at + LENGTH_BYTES > encodedBytes) {
                return "it leaves the chunk";
            }
            int storedBytes = bytes.littleEndianInt(at);
            if (storedBytes <= 0 || storedBytes > encodedBytes - at - LENGTH_BYTES) {
                return "a stream of " + storedBytes + " bytes";
            }
            Optional<String> problem =
                    storedBytes == streamBytes
                            ? Optional.empty()
                            : stream(chunk.asSlice(at + LENGTH_BYTES, storedBytes), streamBytes);
            if (problem.isPresent()) {
                return problem.get();
            }
            at += (long) LENGTH_BYTES + storedBytes;
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

    /** {@return whether the chunk's bytes follow the header as they are, in one stored stream} */
    public boolean isStored() {
        return (flags & STORED) != 0;
    }

    /** {@return how each block is shuffled, or empty if it is not} */
    public Optional<Shuffle> shuffle() {
        if (isStored()) {
            return Optional.empty();
        }
        if ((flags & BYTE_SHUFFLED) != 0) {
            return typeBytes > 1 ? Optional.of(Shuffle.BYTES) : Optional.empty();
        }
        return (flags & BIT_SHUFFLED) != 0 ? Optional.of(Shuffle.BITS) : Optional.empty();
    }

    /** {@return the size of the elements that were shuffled, in bytes} */
    public int typeBytes() {
        return typeBytes;
    }

    /** {@return the size of a decoded block, in bytes; the last one may be shorter} */
    public int blockBytes() {
        return blockBytes;
    }

    /** {@return what the streams are for nvCOMP, or empty for blosclz and what is not known} */
    public Optional<NvcompFormat> format() {
        return switch (flags >> FORMAT_SHIFT) {
            case 1 -> Optional.of(NvcompFormat.LZ4); // lz4 and lz4hc
            case 2 -> Optional.of(NvcompFormat.SNAPPY);
            case 3 -> Optional.of(NvcompFormat.DEFLATE); // zlib, without its header and checksum
            case 4 -> Optional.of(NvcompFormat.ZSTD);
            default -> Optional.empty();
        };
    }

    /**
     * Lists the streams. Those of zlib are given without header and checksum, as nvCOMP wants them;
     * their alignment is the caller's to make.
     *
     * @param sink takes them, in order
     */
    public void streams(Sink sink) {
        if (isStored()) {
            sink.stream(HEADER_BYTES, decodedBytes, 0, decodedBytes, true);
            return;
        }
        boolean isZlib = format().orElseThrow() == NvcompFormat.DEFLATE;
        for (int block = 0; block < blockCount(); block++) {
            int splits = splits(block);
            int streamBytes = blockBytes(block) / splits;
            long decodedOffset = (long) block * blockBytes;
            long at = blockOffset(block);
            for (int split = 0; split < splits; split++) {
                int storedBytes = bytes.littleEndianInt(at);
                boolean isPlain = storedBytes == streamBytes;
                boolean isWrapped = isZlib && !isPlain;
                int before = isWrapped ? FrameCheck.ZLIB_HEADER_BYTES : 0;
                int behind = isWrapped ? FrameCheck.ZLIB_TRAILER_BYTES : 0;
                sink.stream(
                        at + LENGTH_BYTES + before,
                        storedBytes - before - behind,
                        decodedOffset,
                        streamBytes,
                        isPlain);
                decodedOffset += streamBytes;
                at += (long) LENGTH_BYTES + storedBytes;
            }
        }
    }

    /** {@return how many bytes are before the first stream: the header, and the blocks' places} */
    public int headerBytes() {
        return HEADER_BYTES + (isStored() ? 0 : Integer.BYTES * blockCount());
    }

    /** {@return how many blocks it has, if it is not stored} */
    public int blockCount() {
        return (int) ((decodedBytes + (long) blockBytes - 1) / blockBytes);
    }

    /**
     * {@return the size of a decoded stream, in bytes, if the chunk is not stored; those of the
     * last block may have another}
     */
    public int streamBytes() {
        return blockBytes / splits(0);
    }

    /** {@return how many of them it has, about: as if the last block were like the others} */
    public int streamCount() {
        return Math.ceilDiv(decodedBytes, streamBytes());
    }

    private int blockBytes(int block) {
        return (int) Math.min(blockBytes, decodedBytes - (long) block * blockBytes);
    }

    private long blockOffset(int block) {
        return bytes.littleEndianInt(HEADER_BYTES + 4L * block);
    }

    private int splits(int block) {
        boolean isSplit =
                (flags & NOT_SPLIT) == 0
                        && blockBytes(block) == blockBytes
                        && typeBytes <= SPLITS_MAX
                        && blockBytes / typeBytes >= SPLIT_BYTES_MIN;
        return isSplit ? typeBytes : 1;
    }
}
