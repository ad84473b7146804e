package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.MappedBytes;
import io.zarrengine.bindings.frames.SnappyHeader;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Checks a raw Snappy block by walking its elements without copying. nvCOMP's decoder never ends on
 * a truncated chunk.
 *
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy, format
 *     description</a>
 */
final class SnappyBlock {
    /**
     * The limit for a literal's length in its tag. A larger tag contains the number of length bytes
     * after it.
     */
    private static final int SHORT_LITERAL_MAX = 60;

    private final MappedBytes block;
    private final long blockBytes;
    private final long decodedBytes;
    private long at; // in the block
    private long produced; // decoded bytes so far

    private SnappyBlock(MemorySegment block, long decodedBytes) {
        this.block = new MappedBytes(block);
        this.blockBytes = block.byteSize();
        this.decodedBytes = decodedBytes;
    }

    static Optional<String> refusal(MemorySegment block, long decodedBytes) {
        return Optional.ofNullable(new SnappyBlock(block, decodedBytes).problem());
    }

    /** Returns the error, or null. */
    private String problem() {
        SnappyHeader header = SnappyHeader.read(block);
        if (header.contentBytes() < 0) {
            return "the length is cut off";
        }
        if (header.contentBytes() != decodedBytes) {
            return header.contentBytes() + " decoded bytes, expected " + decodedBytes;
        }
        at = header.bytes();
        while (at < blockBytes) {
            int tag = block.unsignedByte(at++);
            if (!((tag & 3) == 0 ? takeLiteral(tag >> 2) : takeCopy(tag))) {
                return "an element that does not fit, before byte " + at;
            }
        }
        return produced == decodedBytes
                ? null
                : "decodes to " + produced + " bytes, expected " + decodedBytes;
    }

    private boolean takeLiteral(int code) {
        long length = code + 1L;
        if (code >= SHORT_LITERAL_MAX) {
            int bytes = code - SHORT_LITERAL_MAX + 1;
            if (blockBytes - at < bytes) {
                return false;
            }
            length = number(bytes) + 1;
        }
        if (blockBytes - at < length) {
            return false;
        }
        at += length;
        return produce(length);
    }

    private boolean takeCopy(int tag) {
        int kind = tag & 3;
        int bytes = kind == 3 ? 4 : kind;
        if (blockBytes - at < bytes) {
            return false;
        }
        long offset = number(bytes);
        if (kind == 1) {
            offset |= (tag & 0xe0L) << 3;
        }
        boolean inside = offset > 0 && offset <= produced;
        return inside && produce(kind == 1 ? (tag >> 2 & 7) + 4 : (tag >> 2) + 1);
    }

    /** Reads the next bytes as a little-endian number. */
    private long number(int bytes) {
        long number = block.littleEndian(at, bytes);
        at += bytes;
        return number;
    }

    private boolean produce(long length) {
        produced += length;
        return produced <= decodedBytes;
    }
}
