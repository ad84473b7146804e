package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.frames.StableBytes;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.frames.ZstdHeader;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.bindings.libzstd.ZSTD_inBuffer_s;
import io.zarrengine.bindings.libzstd.ZSTD_outBuffer_s;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Decodes by libzstd, with a context that is reused because creating one costs more than decoding a
 * small chunk.
 */
public final class LibzstdDecompressor implements Decompressor {
    /** ZSTD_WINDOWLOG_MAX_64 of zstd.h. Any window is accepted, because none is allocated. */
    private static final int WINDOW_LOG_MAX = 31;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment context;
    private final boolean verifiesChecksums;
    private final boolean decodesInSteps;
    private final LibzstdBlocks blocks; // null if libzstd lacks its functions
    private final MemorySegment input = ZSTD_inBuffer_s.allocate(arena);
    private final MemorySegment output = ZSTD_outBuffer_s.allocate(arena);

    /** With {@code verifiesChecksums}, a frame with a checksum is decoded to its end. */
    public LibzstdDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
        MemorySegment created = Libzstd.ZSTD_createDCtx();
        if (created.address() == 0) {
            arena.close();
            throw new OutOfMemoryError("ZSTD_createDCtx");
        }
        context = NativeHandle.attach(created, arena, Libzstd::ZSTD_freeDCtx);
        decodesInSteps = // directly to the target; older releases need a buffer
                accepts(Libzstd.ZSTD_d_experimentalParam2(), 1)
                        && accepts(Libzstd.ZSTD_d_windowLogMax(), WINDOW_LOG_MAX);
        blocks = LibzstdBlocks.areThere() ? new LibzstdBlocks(context, verifiesChecksums) : null;
    }

    private boolean accepts(int parameter, int value) {
        return !isError(Libzstd.ZSTD_DCtx_setParameter(context, parameter, value));
    }

    private static boolean isError(long result) {
        return Libzstd.ZSTD_isError(result) != 0;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long result =
                Libzstd.ZSTD_decompressDCtx(
                        context, decoded, decoded.byteSize(), encoded, encoded.byteSize());
        try {
            return Zstd.checked(result, decoded);
        } catch (TargetTooSmallException e) {
            throw e;
        } catch (CodecException e) {
            long claimed = claimedBytes(encoded);
            boolean isTooMuch = Long.compareUnsigned(claimed, decoded.byteSize()) > 0;
            throw claimed == -1 || !isTooMuch ? e : tooMuch(claimed, decoded.byteSize());
        }
    }

    /** Returns the error for too large a frame, which libzstd also reports as corruption. */
    private static CodecException tooMuch(long claimedBytes, long bytesMax) {
        String claimed = Long.toUnsignedString(claimedBytes);
        return new CodecException(
                Zstd.NAME,
                "header says " + claimed + " decoded bytes, expected at most " + bytesMax);
    }

    /** Returns the decoded size in a frame's header; -1 if there is none. */
    private static long claimedBytes(MemorySegment encoded) {
        var numbers = new StableBytes(encoded);
        return encoded.byteSize() >= ZstdHeader.BYTES_MIN && ZstdHeader.isAtFrontOf(numbers)
                ? ZstdHeader.read(numbers).contentBytes()
                : -1;
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        if (!decodesInSteps) {
            return -1;
        }
        return ZstdFrame.readForFront(encoded, decoded.byteSize(), bytes, verifiesChecksums)
                .map(frame -> decodeBlocks(frame, decoded, bytes))
                .orElse(-1L);
    }

    /** Decodes block by block. Given more of the frame, the library would decode more. */
    private long decodeBlocks(ZstdFrame frame, MemorySegment decoded, long bytes) {
        begin(frame.bytes(), decoded);
        long end = frame.header().bytes();
        boolean isLast = false;
        while (ZSTD_outBuffer_s.pos(output) < bytes) {
            if (isLast) {
                return -1; // less than its header says
            }
            ZstdBlock block = frame.block(end);
            isLast = block.isLast();
            end = block.end();
            ZSTD_inBuffer_s.size(input, end);
            if (isError(Libzstd.ZSTD_decompressStream(context, output, input))) {
                return -1;
            }
        }
        return ZSTD_outBuffer_s.pos(output);
    }

    @Override
    public long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        return blocks == null ? -1 : blocks.stream(encoded, decodedBytes, sink, workspace);
    }

    private void begin(MemorySegment encoded, MemorySegment decoded) {
        Libzstd.ZSTD_DCtx_reset(context, Libzstd.ZSTD_reset_session_only());
        ZSTD_inBuffer_s.src(input, encoded);
        ZSTD_inBuffer_s.pos(input, 0);
        ZSTD_outBuffer_s.dst(output, decoded);
        ZSTD_outBuffer_s.size(output, decoded.byteSize());
        ZSTD_outBuffer_s.pos(output, 0);
    }

    @Override
    public void close() {
        arena.close();
    }
}
