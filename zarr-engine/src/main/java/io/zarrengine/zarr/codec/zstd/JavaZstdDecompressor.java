package io.zarrengine.zarr.codec.zstd;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.frames.ZstdHeader;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes zstd by aircompressor, frame by frame. Aircompressor does not know skippable frames,
 * refuses windows of more than 8 MiB (which need no memory if everything is decoded to one target),
 * and cannot decode a front alone. It therefore gets copies of frames with a smaller window or
 * fewer blocks.
 */
final class JavaZstdDecompressor implements Decompressor {
    private static final String NAME = Zstd.NAME;

    /**
     * Begin of the message for a target that is too small; the exception has no other sign of the
     * reason.
     */
    private static final String TOO_SMALL = "Output buffer too small";

    private static final long WINDOW_BYTES_MAX = 8 << 20; // MAX_WINDOW_SIZE of aircompressor
    private static final byte WINDOW_OF_8_MIB = 13 << 3; // RFC 8878, 3.1.1.1.2

    private final ZstdJavaDecompressor delegate = new ZstdJavaDecompressor();
    private final boolean verifiesChecksums;

    /** With {@code verifiesChecksums}, a frame with a checksum is decoded to its end. */
    JavaZstdDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long at = 0;
        long written = 0;
        while (at < encoded.byteSize()) {
            MemorySegment rest = encoded.asSlice(at);
            long skipped = ZstdHeader.skippableBytes(new StableBytes(rest));
            if (skipped > 0) {
                at += skipped;
            } else {
                MemorySegment frame = rest.asSlice(0, frameBytes(rest));
                written += decodeFrame(frame, decoded.asSlice(written));
                at += frame.byteSize();
            }
        }
        return written;
    }

    /**
     * Returns the size of the frame at the front of some bytes; of all bytes, if the frame is not
     * whole.
     */
    private static long frameBytes(MemorySegment bytes) {
        long end = ZstdFrame.read(bytes).map(ZstdFrame::end).orElse(-1L);
        return end < 0 ? bytes.byteSize() : end;
    }

    private long decodeFrame(MemorySegment frame, MemorySegment decoded) throws CodecException {
        boolean isEmpty = decoded.byteSize() == 0; // aircompressor would not read the frame
        MemorySegment target = isEmpty ? MemorySegment.ofArray(new byte[1]) : decoded;
        long written;
        try {
            written = delegate.decompress(withWindow(frame), target);
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException e) {
            throw String.valueOf(e.getMessage()).startsWith(TOO_SMALL)
                    ? new TargetTooSmallException(NAME, decoded.byteSize())
                    : new CodecException(NAME, "damaged: " + words(e), e);
        }
        if (written < 0 || written > decoded.byteSize()) {
            throw new TargetTooSmallException(NAME, decoded.byteSize());
        }
        checkContent(frame, written);
        return written;
    }

    /** Returns the frame, or a copy with a smaller window in its header. */
    private static MemorySegment withWindow(MemorySegment frame) {
        var header = ZstdFrame.read(frame).map(ZstdFrame::header).orElse(null);
        if (header == null || !header.hasWindow() || header.windowBytes() <= WINDOW_BYTES_MAX) {
            return frame;
        }
        MemorySegment copy = MemorySegment.ofArray(frame.toArray(JAVA_BYTE));
        copy.set(JAVA_BYTE, ZstdHeader.WINDOW_AT, WINDOW_OF_8_MIB);
        return copy;
    }

    private static void checkContent(MemorySegment frame, long written) throws CodecException {
        var header = ZstdFrame.read(frame).map(ZstdFrame::header).orElse(null);
        if (header != null && header.contentBytes() >= 0 && header.contentBytes() != written) {
            throw new CodecException(
                    NAME,
                    "damaged: decodes to %d bytes, its header says %d"
                            .formatted(written, header.contentBytes()));
        }
    }

    /**
     * Returns the message for a refusal. Other exceptions than aircompressor's own mention arrays
     * and indexes. Its own end with an offset, which may be an address of this process.
     */
    private static String words(RuntimeException problem) {
        return problem instanceof MalformedInputException own
                ? own.getMessage().replaceFirst(": offset=-?\\d+$", "")
                : "it cannot be decoded";
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        return ZstdFrame.readForFront(encoded, decoded.byteSize(), bytes, verifiesChecksums)
                .map(frame -> decodeFront(frame, decoded, bytes))
                .orElse(-1L);
    }

    /** Decodes copies of the frame that end after a block, until all wanted bytes are decoded. */
    private long decodeFront(ZstdFrame frame, MemorySegment decoded, long bytes) {
        long blocks = Math.ceilDiv(bytes, ZstdBlock.DECODED_BYTES_MAX); // it may take more
        while (true) {
            long begin = frame.header().bytes();
            ZstdBlock block = frame.block(begin);
            for (long n = 1; n < blocks && !block.isLast(); n++) {
                begin = block.end();
                block = frame.block(begin);
            }
            long written = decodeTo(frame, begin, block.end(), decoded);
            if (written >= bytes) {
                return written;
            }
            if (written < 0 || block.isLast()) {
                return -1;
            }
            blocks *= 2;
        }
    }

    private long decodeTo(ZstdFrame frame, long lastBlock, long end, MemorySegment decoded) {
        MemorySegment front =
                MemorySegment.ofArray(frame.bytes().asSlice(0, end).toArray(JAVA_BYTE));
        int descriptor = front.get(JAVA_BYTE, ZstdHeader.DESCRIPTOR_AT) & ~ZstdHeader.CHECKSUM;
        front.set(JAVA_BYTE, ZstdHeader.DESCRIPTOR_AT, (byte) descriptor);
        front.set(JAVA_BYTE, lastBlock, (byte) (front.get(JAVA_BYTE, lastBlock) | ZstdBlock.LAST));
        ZstdHeader header = frame.header();
        if (header.hasWindow() && header.windowBytes() > WINDOW_BYTES_MAX) {
            front.set(JAVA_BYTE, ZstdHeader.WINDOW_AT, WINDOW_OF_8_MIB);
        }
        try {
            return delegate.decompress(front, decoded);
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException
                | IndexOutOfBoundsException e) {
            return -1;
        }
    }

    @Override
    public void close() {}
}
