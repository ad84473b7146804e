package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.FrameBytes;
import io.zarrengine.bindings.frames.MappedBytes;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.frames.ZstdHeader;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Checks the headers of a zstd frame from the magic number to the last block, which must end
 * exactly where the frame does, and the literals headers of compressed blocks.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1">RFC 8878, 3.1.1</a>
 */
record ZstdCheck(FrameBytes bytes, ZstdHeader header, long decodedBytes) {
    private static final int COMPRESSED_BYTES_MIN = 2; // a literals header and a sequences header

    /**
     * The window that every decoder should support, 3.1.1.1.2. nvCOMP does not document its limit.
     */
    private static final long WINDOW_BYTES_MAX = 8 << 20;

    static Optional<String> refusal(
            MemorySegment frame, long decodedBytes, boolean comparesChecksums) {
        if (frame.byteSize() < ZstdHeader.BYTES_MIN) {
            return Optional.of("a frame of " + frame.byteSize() + " bytes");
        }
        var bytes = new MappedBytes(frame);
        if (!ZstdHeader.isAtFrontOf(bytes)) {
            return Optional.of("no zstd frame, or a skippable one");
        }
        var read = new ZstdCheck(bytes, ZstdHeader.read(bytes), decodedBytes);
        String problem = read.headerProblem(comparesChecksums);
        return Optional.ofNullable(problem == null ? read.blocksProblem() : problem);
    }

    /** Returns the error in the frame header, or null. */
    private String headerProblem(boolean comparesChecksums) {
        if (comparesChecksums && header.checksumBytes() > 0) {
            return "a checksum";
        }
        if (header.hasReservedBit()) {
            return "a reserved bit is set";
        }
        if (header.hasDictionary()) {
            return "it needs a dictionary";
        }
        if (header.hasWindow() && header.windowBytes() > WINDOW_BYTES_MAX) {
            return "a window of " + header.windowBytes() + " bytes";
        }
        if (header.bytes() > bytes.byteSize()) {
            return "the header is cut off";
        }
        if (header.contentBytes() == -1) {
            return "it does not say its content's size";
        }
        return header.contentBytes() == decodedBytes
                ? null
                : "content of "
                        + Long.toUnsignedString(header.contentBytes())
                        + " bytes, expected "
                        + decodedBytes;
    }

    /** Returns the error in the blocks, or null. */
    private String blocksProblem() {
        long blockBytesMax = Math.min(header.windowBytes(), ZstdBlock.DECODED_BYTES_MAX);
        ZstdLiterals literals = new ZstdLiterals(bytes, blockBytesMax);
        long least = 0; // decoded bytes of all blocks
        long most = 0;
        long at = header.bytes();
        boolean isLast = false;
        while (!isLast) {
            if (bytes.byteSize() - at < ZstdBlock.HEADER_BYTES) {
                return "the last block is missing";
            }
            ZstdBlock block = ZstdBlock.read(bytes, at);
            int type = block.type();
            int size = block.size();
            if (size > blockBytesMax) {
                return "a block of " + size + " bytes";
            }
            boolean isCompressed = type == ZstdBlock.COMPRESSED;
            if (type > ZstdBlock.COMPRESSED || (isCompressed && size < COMPRESSED_BYTES_MIN)) {
                return "a block of type " + type + " and " + size + " bytes";
            }
            if (block.end() > bytes.byteSize()) {
                return "a block of " + size + " bytes is cut off";
            }
            String problem =
                    isCompressed
                            ? literals.problem(at + ZstdBlock.HEADER_BYTES, block.end())
                            : null;
            if (problem != null) {
                return problem;
            }
            least += isCompressed ? literals.count() : size;
            most += isCompressed ? blockBytesMax : size;
            isLast = block.isLast();
            at = block.end();
        }
        long left = bytes.byteSize() - at;
        if (left != header.checksumBytes()) {
            return "the last block ends " + left + " bytes before the end";
        }
        return least <= decodedBytes && decodedBytes <= most
                ? null
                : "its blocks cannot hold " + decodedBytes + " bytes";
    }
}
