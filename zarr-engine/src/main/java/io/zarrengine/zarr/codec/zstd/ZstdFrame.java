package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.frames.FrameBytes;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.frames.ZstdHeader;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A zstd frame, of which one block after the other can be decoded. Their content is not looked at.
 *
 * @param numbers the same bytes, for who reads the headers of blocks
 */
public record ZstdFrame(MemorySegment bytes, FrameBytes numbers, ZstdHeader header) {
    /**
     * {@return the frame that some bytes begin with; empty if they do not, or if its blocks cannot
     * be decoded without more: a dictionary, or what the reserved bit will stand for}
     */
    public static Optional<ZstdFrame> read(MemorySegment bytes) {
        var numbers = new StableBytes(bytes);
        return bytes.byteSize() >= ZstdHeader.BYTES_MAX && ZstdHeader.isAtFrontOf(numbers)
                ? Optional.of(new ZstdFrame(bytes, numbers, ZstdHeader.read(numbers)))
                        .filter(frame -> !frame.header.hasDictionary())
                        .filter(frame -> !frame.header.hasReservedBit())
                : Optional.empty();
    }

    /**
     * {@return whether decoding may stop behind a byte, and leaves blocks out then}
     *
     * @param end behind that byte
     * @param verifiesChecksums whether a frame with a checksum is decoded to its end
     */
    boolean mayStopAt(long end, boolean verifiesChecksums) {
        return header.contentBytes() - end >= ZstdBlock.DECODED_BYTES_MAX
                && !(header.checksumBytes() > 0 && verifiesChecksums);
    }

    /** {@return whether the last block, and the checksum, end where the bytes end} */
    boolean isWhole() {
        return end() == bytes.byteSize();
    }

    /** {@return where the last block, and the checksum, end; -1 if that is behind the bytes} */
    long end() {
        long at = header.bytes();
        boolean isLast = false;
        while (!isLast) {
            if (at > bytes.byteSize() - ZstdBlock.HEADER_BYTES) {
                return -1;
            }
            ZstdBlock block = block(at);
            isLast = block.isLast();
            at = block.end();
        }
        long end = at + header.checksumBytes();
        return end <= bytes.byteSize() ? end : -1;
    }

    /** {@return the block that begins at a byte of the frame} */
    public ZstdBlock block(long at) {
        return ZstdBlock.read(numbers, at);
    }
}
