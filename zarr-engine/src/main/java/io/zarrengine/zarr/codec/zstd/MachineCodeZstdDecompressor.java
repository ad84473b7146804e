package io.zarrengine.zarr.codec.zstd;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.frames.ZstdBlock;
import io.zarrengine.bindings.machinecode.MachineCodeZstd;
import io.zarrengine.zarr.codec.BlockSink;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.MissingLibraryException;
import java.lang.foreign.MemorySegment;

/**
 * Decodes zstd by the engine's machine code, which is faster than libzstd. Another decoder decodes
 * input that it refuses, and reports the error.
 */
public final class MachineCodeZstdDecompressor implements Decompressor {
    private final MachineCodeZstd code = new MachineCodeZstd();
    private final MachineCodeZstdBlocks blocks = new MachineCodeZstdBlocks(code);
    private final boolean verifiesChecksums;
    private Decompressor other; // created when needed

    /**
     * With {@code verifiesChecksums}, a frame with a checksum is decoded to its end, and its
     * checksum is compared.
     */
    MachineCodeZstdDecompressor(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    @Override
    public long decompress(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long bytes = code.decodeFrame(encoded, decoded, verifiesChecksums);
        return bytes >= 0 ? bytes : other().decompress(encoded, decoded);
    }

    @Override
    public long decompressFront(MemorySegment encoded, MemorySegment decoded, long bytes) {
        return ZstdFrame.readForFront(encoded, decoded.byteSize(), bytes, verifiesChecksums)
                .map(frame -> decodeFront(frame, decoded, bytes))
                .orElse(-1L);
    }

    private long decodeFront(ZstdFrame frame, MemorySegment decoded, long bytes) {
        code.beginFrame();
        long written = 0;
        long at = frame.header().bytes();
        boolean isLast = false;
        while (written < bytes) {
            if (isLast) {
                return -1; // less than its header says
            }
            ZstdBlock block = frame.block(at);
            long more =
                    code.decodeBlock(
                            frame.bytes(), at, block.end(), decoded, written, MemorySegment.NULL);
            if (more < 0) {
                return -1;
            }
            written += more;
            isLast = block.isLast();
            at = block.end();
        }
        return written;
    }

    @Override
    public long stream(
            MemorySegment encoded, long decodedBytes, BlockSink sink, Workspace workspace)
            throws CodecException {
        ZstdFrame frame = LibzstdBlocks.streamable(encoded, decodedBytes);
        if (frame == null) {
            return -1;
        }
        boolean isChecked = verifiesChecksums && frame.header().checksumBytes() > 0;
        return isChecked || frame.header().windowBytes() > MachineCodeZstd.WINDOW_BYTES_MAX
                ? other().stream(encoded, decodedBytes, sink, workspace)
                : blocks.stream(frame, sink, workspace);
    }

    private Decompressor other() throws CodecException {
        if (other == null) {
            try {
                other = create(verifiesChecksums);
            } catch (MissingLibraryException e) {
                throw new CodecException(
                        Zstd.NAME, "damaged, or of a kind that needs libzstd, which is missing", e);
            }
        }
        return other;
    }

    /** {@return this decoder, or another one if there is no machine code} */
    static Decompressor orElse(boolean verifiesChecksums) throws CodecException {
        return MachineCodeZstd.denial().isEmpty()
                ? new MachineCodeZstdDecompressor(verifiesChecksums)
                : create(verifiesChecksums);
    }

    /** {@return the decoder used without machine code} */
    static Decompressor create(boolean verifiesChecksums) throws CodecException {
        if (NativeLibrary.LIBZSTD.isAvailable()) {
            return new LibzstdDecompressor(verifiesChecksums);
        }
        return inJava(verifiesChecksums);
    }

    /**
     * {@return a decoder in Java}
     *
     * @throws MissingLibraryException if aircompressor is missing
     */
    public static Decompressor inJava(boolean verifiesChecksums) throws CodecException {
        try {
            return new JavaZstdDecompressor(verifiesChecksums);
        } catch (NoClassDefFoundError e) {
            throw new MissingLibraryException(
                    Zstd.NAME,
                    "there is no decoder: no machine code, no libzstd, and no aircompressor-v3",
                    e);
        }
    }

    @Override
    public void close() {
        code.close();
        if (other != null) {
            other.close();
        }
    }
}
