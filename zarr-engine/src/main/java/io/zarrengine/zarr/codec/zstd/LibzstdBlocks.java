package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.libzstd.Libzstd;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;

/**
 * Decodes a large frame block by block to a ring of memory, which holds the frame's window, to
 * which a block may refer, and room for the next block. A chunk of 32 MiB of level 3 takes 2.25 MiB
 * this way, which stay in a CPU cache until their elements are placed
 * (docs/decisions/streamed-zstd.md).
 *
 * <p>Owner: one decompressor.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1.2">RFC 8878, 3.1.1.1.2
 *     Window Descriptor</a>
 */
final class LibzstdBlocks {
    /**
     * Smallest ratio of the chunk to the ring. Below it, the whole chunk is in a CPU cache too, and
     * one call decodes it.
     */
    private static final int SAVING_MIN = 2;

    /**
     * Size of a ring besides the window: a block, the unused end of less than a block, and the
     * bytes that libzstd copies too much. No release's ZSTD_decodingBufferSize_min is larger; some
     * ask for less if blocks are small.
     */
    private static final long RING_BYTES_MIN = 2 * ZstdBlock.DECODED_BYTES_MAX + 64;

    static final long CHUNK_BYTES_MIN = SAVING_MIN * RING_BYTES_MIN;

    private final MemorySegment context;
    private final boolean verifiesChecksums;

    /** With {@code verifiesChecksums}, a frame with a checksum is decoded to its end. */
    LibzstdBlocks(MemorySegment context, boolean verifiesChecksums) {
        this.context = context;
        this.verifiesChecksums = verifiesChecksums;
    }

    /**
     * {@return whether libzstd exports the functions that this class needs, which are meant for
     * static linking}
     */
    static boolean areThere() {
        return Stream.of(
                        "ZSTD_decompressBegin",
                        "ZSTD_nextSrcSizeToDecompress",
                        "ZSTD_decompressContinue")
                .allMatch(NativeLibrary.LIBZSTD::has);
    }

    /**
     * {@return the frame, if it is whole, states its size, and a ring is at most half of that;
     * otherwise null}
     */
    static ZstdFrame streamable(MemorySegment encoded, long decodedBytes) {
        long windowBytesMax = decodedBytes / SAVING_MIN - RING_BYTES_MIN;
        return ZstdFrame.read(encoded)
                .filter(read -> read.header().contentBytes() == decodedBytes)
                .filter(read -> read.header().windowBytes() <= windowBytesMax)
                .filter(ZstdFrame::isWhole)
                .orElse(null);
    }

    /** {@return memory for the blocks of a frame: its window, and two blocks} */
    static MemorySegment ring(ZstdFrame frame, Workspace workspace) {
        return workspace.result(frame.header().windowBytes() + RING_BYTES_MIN);
    }

    /** Refuses a block that is larger than the rest of the frame's stated size. */
    static void checkRoom(long blockBytes, long leftBytes) throws CodecException {
        if (blockBytes > leftBytes) {
            throw new CodecException(Zstd.NAME, "decodes to more than its header says");
        }
    }

    /** Does the same as {@link Decompressor#stream}. */
    long stream(MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        ZstdFrame frame = streamable(encoded, decodedBytes);
        if (frame == null) {
            return -1;
        }
        MemorySegment ring = ring(frame, workspace);
        boolean mayStop = frame.mayStopAt(sink.to(), verifiesChecksums);
        return decode(frame, mayStop ? sink.to() : Long.MAX_VALUE, ring, sink);
    }

    /**
     * {@code end} is the end of the wanted bytes; a larger value also checks that the frame ends.
     */
    private long decode(ZstdFrame frame, long end, MemorySegment ring, BlockSink sink)
            throws CodecException {
        Zstd.checked(Libzstd.ZSTD_decompressBegin(context));
        long decodedBytes = frame.header().contentBytes();
        long read = 0;
        long written = 0;
        long at = 0; // in the ring
        long next = Libzstd.ZSTD_nextSrcSizeToDecompress(context);
        while (next > 0 && written < end) {
            if (ring.byteSize() - at < ZstdBlock.DECODED_BYTES_MAX) {
                at = 0;
            }
            MemorySegment target = ring.asSlice(at);
            MemorySegment step = frame.bytes().asSlice(read, next); // the frame is whole
            long bytes =
                    Zstd.checked(
                            Libzstd.ZSTD_decompressContinue(
                                    context, target, target.byteSize(), step, next));
            checkRoom(bytes, decodedBytes - written);
            if (bytes > 0) {
                sink.put(target.asSlice(0, bytes), written);
            }
            read += next;
            written += bytes;
            at += bytes;
            next = Libzstd.ZSTD_nextSrcSizeToDecompress(context);
        }
        return written >= end
                ? written
                : ChunkDecoder.checkedSize(Zstd.NAME, written, decodedBytes);
    }
}
