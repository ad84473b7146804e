package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.frames.FrameBytes;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.frames.ZstdHeader;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A zstd frame whose blocks can be decoded one by one. Reads only headers, not the content of
 * blocks.
 *
 * @param numbers the same bytes, for reading the headers of blocks
 */
public record ZstdFrame(MemorySegment bytes, FrameBytes numbers, ZstdHeader header) {
    /**
     * {@return the frame at the front of some bytes; empty if there is none, or if its blocks need
     * more to decode: a dictionary, or the meaning of the reserved bit}
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
     * {@return the frame at the front of some bytes; empty if all of it must be decoded, although
     * only its front is wanted}
     *
     * @param decodedBytes size of the decoded frame
     * @param end of the wanted bytes, exclusive
     * @param verifiesChecksums whether a frame with a checksum is decoded to its end
     */
    static Optional<ZstdFrame> readForFront(
            MemorySegment bytes, long decodedBytes, long end, boolean verifiesChecksums) {
        return read(bytes)
                .filter(frame -> frame.header.contentBytes() == decodedBytes)
                .filter(frame -> frame.mayStopAt(end, verifiesChecksums))
                .filter(ZstdFrame::isWhole);
    }

    /**
     * {@return whether decoding may stop before the end, and leaves out blocks by that}
     *
     * @param end of the wanted bytes, exclusive
     * @param verifiesChecksums whether a frame with a checksum is decoded to its end
     */
    boolean mayStopAt(long end, boolean verifiesChecksums) {
        return header.contentBytes() - end >= ZstdBlock.DECODED_BYTES_MAX
                && !(header.checksumBytes() > 0 && verifiesChecksums);
    }

    /** {@return whether the frame, with its checksum, ends where the bytes end} */
    boolean isWhole() {
        return end() == bytes.byteSize();
    }

    /** {@return the end of the frame with its checksum; -1 if that is beyond the bytes} */
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

    /** {@return the block at a position of the frame} */
    public ZstdBlock block(long at) {
        return ZstdBlock.read(numbers, at);
    }
}
