package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.MachineCodeZstd;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * What {@link LibzstdBlocks} does, by machine code of ours: a large frame, block by block to a
 * ring.
 *
 * <p>Owner: one decompressor.
 */
final class MachineCodeZstdBlocks {
    private final MachineCodeZstd code;

    MachineCodeZstdBlocks(MachineCodeZstd code) {
        this.code = code;
    }

    /**
     * As {@link Decompressor#stream}, of a frame that is {@linkplain LibzstdBlocks#streamable
     * streamable}; no checksum is compared.
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
     * Where blocks go: one behind the other, and from the front again when less than a block is
     * left. What lies there is older than the window then.
     */
    private static final class Ring {
        private final MemorySegment memory;
        private final long windowBytes;
        private long at;
        private long lastEnd; // of the blocks in the round before

        Ring(MemorySegment memory, long windowBytes) {
            this.memory = memory;
            this.windowBytes = windowBytes;
        }

        /** {@return the next block's content, which stays until as much as a window follows} */
        MemorySegment decode(MachineCodeZstd code, ZstdFrame frame, long from, long to)
                throws CodecException {
            if (memory.byteSize() - at < ZstdBlock.DECODED_BYTES_MAX) {
                lastEnd = at;
                at = 0;
            }
            // Of the round before, nothing that the block may be written over: ring() has room.
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
