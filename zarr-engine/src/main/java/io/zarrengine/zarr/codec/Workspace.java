package io.zarrengine.zarr.codec;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one thread needs to encode and decode: the contexts of the libraries, made when first used,
 * and memory for what lies between two codecs.
 *
 * <p>Owner: the thread that created it.
 */
public final class Workspace implements AutoCloseable {
    private static final int BUFFERS = 6; // two in turns between codecs, one inside blosc, then:
    private static final int RESULT_BUFFER = 3;
    private static final int FILTER_BUFFERS = 4; // the first of two in turns

    /** Buffers grow in steps of this. */
    private static final long BUFFER_STEP_BYTES = 64 << 10;

    private final Map<Format, Decompressor> decompressors = new EnumMap<>(Format.class);
    private final NativeMemory[] buffers = new NativeMemory[BUFFERS];
    private final boolean verifiesChecksums;
    private ZstdCompressor zstdCompressor;

    /** The compression formats. */
    enum Format {
        ZSTD,
        LZ4,
        ZLIB,
        GZIP,
        SNAPPY,
        BLOSCLZ
    }

    /** Creates an empty workspace for the calling thread; checksums are verified. */
    public Workspace() {
        this(true);
    }

    /**
     * Creates an empty workspace for the calling thread.
     *
     * @param verifiesChecksums whether checksum codecs compare, or only strip what they added
     */
    public Workspace(boolean verifiesChecksums) {
        this.verifiesChecksums = verifiesChecksums;
    }

    /** {@return whether checksums of chunks are compared} */
    public boolean verifiesChecksums() {
        return verifiesChecksums;
    }

    Decompressor decompressor(Format format) throws CodecException {
        Decompressor decompressor = decompressors.get(format);
        if (decompressor == null) {
            decompressor = create(format);
            decompressors.put(format, decompressor);
        }
        return decompressor;
    }

    ZstdCompressor zstdCompressor() throws CodecException {
        if (zstdCompressor == null) {
            zstdCompressor = new ZstdCompressor();
        }
        return zstdCompressor;
    }

    private Decompressor create(Format format) throws CodecException {
        return switch (format) {
            case ZSTD ->
                    NativeLibrary.LIBZSTD.isAvailable()
                            ? new NativeZstdDecompressor(verifiesChecksums)
                            : JavaDecompressors.zstd();
            case LZ4 ->
                    NativeLibrary.LIBLZ4.isAvailable()
                            ? new NativeLz4Decompressor()
                            : JavaDecompressors.lz4();
            case ZLIB -> new ZlibDecompressor();
            case GZIP -> new GzipDecompressor();
            case SNAPPY -> JavaDecompressors.snappy();
            case BLOSCLZ -> new BloscLzDecompressor();
        };
    }

    /**
     * {@return native memory of this workspace, at least so large; its content is undefined}
     *
     * @param index which of the buffers; each call for the same index ends the use of the one
     *     before
     * @param bytes how much
     */
    MemorySegment buffer(int index, long bytes) {
        if (buffers[index] == null || buffers[index].segment().byteSize() < bytes) {
            free(index);
            buffers[index] =
                    NativeMemory.allocate(
                            Math.ceilDiv(bytes, BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES);
        }
        return buffers[index].segment().asSlice(0, bytes);
    }

    /**
     * {@return memory for a decoded chunk; its content is undefined, and ends with the next call}
     *
     * @param bytes how much
     */
    public MemorySegment result(long bytes) {
        return buffer(RESULT_BUFFER, bytes);
    }

    /** {@return memory for what a filter makes; index 0 and 1 in turns} */
    MemorySegment filtered(int index, long bytes) {
        return buffer(FILTER_BUFFERS + index, bytes);
    }

    /**
     * Frees buffers that are larger than usual.
     *
     * @param bytesMax what a buffer may keep
     */
    public void trim(long bytesMax) {
        for (int i = 0; i < BUFFERS; i++) {
            if (buffers[i] != null && buffers[i].segment().byteSize() > bytesMax) {
                free(i);
            }
        }
    }

    private void free(int index) {
        if (buffers[index] != null) {
            buffers[index].close();
            buffers[index] = null;
        }
    }

    @Override
    public void close() {
        decompressors.values().forEach(Decompressor::close);
        if (zstdCompressor != null) {
            zstdCompressor.close();
        }
        for (int i = 0; i < BUFFERS; i++) {
            free(i);
        }
    }
}
