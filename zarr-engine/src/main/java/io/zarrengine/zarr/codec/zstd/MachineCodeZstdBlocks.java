package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.machinecode.MachineCodeZstd;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Does the same as {@link LibzstdBlocks} by the engine's machine code: decodes a large frame block
 * by block to a ring.
 *
 * <p>Owner: one decompressor.
 */
final class MachineCodeZstdBlocks {
    private final MachineCodeZstd code;

    MachineCodeZstdBlocks(MachineCodeZstd code) {
        this.code = code;
    }

    /**
     * Does the same as {@link Decompressor#stream} for a frame that is {@linkplain
     * LibzstdBlocks#streamable streamable}; compares no checksum.
     */
    long stream(ZstdFrame frame, BlockSink sink, Workspace workspace) throws CodecException {
        boolean mayStop = frame.mayStopAt(sink.to(), false);
        long end = mayStop ? sink.to() : Long.MAX_VALUE;
        long decodedBytes = frame.header().contentBytes();
        var ring = new Ring(LibzstdBlocks.ring(frame, workspace), frame.header().windowBytes());
        code.beginFrame();
        long written = 0;
        long at = frame.header().bytes();
        boolean isLast = false;
        while (!isLast && written < end) {
            ZstdBlock block = frame.block(at);
            MemorySegment bytes = ring.decode(code, frame, at, block.end());
            LibzstdBlocks.checkRoom(bytes.byteSize(), decodedBytes - written);
            if (bytes.byteSize() > 0) {
                sink.put(bytes, written);
            }
            written += bytes.byteSize();
            isLast = block.isLast();
            at = block.end();
        }
        return written >= end
                ? written
                : ChunkDecoder.checkedSize(Zstd.NAME, written, decodedBytes);
    }

    /**
     * A ring of blocks, in order. It begins again at the front when less than a block is left at
     * the end. The blocks at the front are then older than the window.
     */
    private static final class Ring {
        private final MemorySegment memory;
        private final long windowBytes;
        private long at;
        private long lastEnd; // of the blocks in the previous round

        Ring(MemorySegment memory, long windowBytes) {
            this.memory = memory;
            this.windowBytes = windowBytes;
        }

        /**
         * {@return the next block's content, which stays valid until a window of content follows}
         */
        MemorySegment decode(MachineCodeZstd code, ZstdFrame frame, long from, long to)
                throws CodecException {
            if (memory.byteSize() - at < ZstdBlock.DECODED_BYTES_MAX) {
                lastEnd = at;
                at = 0;
            }
            // The block does not overwrite these bytes of the previous round, because ring() has
            // room for both.
            long olderBytes = Math.clamp(windowBytes - at, 0, lastEnd);
            MemorySegment older = memory.asSlice(lastEnd - olderBytes, olderBytes);
            MemorySegment target = memory.asSlice(0, at + ZstdBlock.DECODED_BYTES_MAX);
            long bytes = code.decodeBlock(frame.bytes(), from, to, target, at, older);
            if (bytes < 0) {
                throw new CodecException(Zstd.NAME, "damaged: a block cannot be decoded");
            }
            MemorySegment content = memory.asSlice(at, bytes);
            at += bytes;
            return content;
        }
    }
}
