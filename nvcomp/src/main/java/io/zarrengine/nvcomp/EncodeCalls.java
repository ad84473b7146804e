package io.zarrengine.nvcomp;

import io.zarrengine.bindings.nvcomp.Nvcomp;
import java.lang.foreign.MemorySegment;

/**
 * The functions of one format's encoder.
 *
 * @param queries the functions that are called before encoding
 * @param encodedBytesMax {@code …CompressGetMaxOutputChunkSize}
 * @param compress {@code …CompressAsync}
 */
record EncodeCalls(QueryCalls queries, EncodedBytesMax encodedBytesMax, Compress compress) {
    /** {@code (chunkBytesMax, options, encodedBytesMax)}. */
    interface EncodedBytesMax {
        int call(long chunkBytesMax, MemorySegment options, MemorySegment encodedBytesMax);
    }

    /**
     * {@code (sources, sourceBytes, chunkBytesMax, chunks, scratch, scratchBytes, targets,
     * actualBytes, options, statuses, stream)}.
     */
    interface Compress {
        int call( // Allowed: nvCOMP's function has eleven
                MemorySegment sources,
                MemorySegment sourceBytes,
                long chunkBytesMax,
                long chunks,
                MemorySegment scratch,
                long scratchBytes,
                MemorySegment targets,
                MemorySegment actualBytes,
                MemorySegment options,
                MemorySegment statuses,
                MemorySegment stream);
    }

    /**
     * Returns the functions of a format. The bindings resolve a function on its first call, so a
     * missing one affects no other.
     */
    static EncodeCalls of(NvcompFormat format) {
        return switch (format) {
            case LZ4 ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedLZ4CompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedLZ4CompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedLZ4CompressGetTempSize),
                            Nvcomp::nvcompBatchedLZ4CompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedLZ4CompressAsync);
            case SNAPPY ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedSnappyCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedSnappyCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedSnappyCompressGetTempSize),
                            Nvcomp::nvcompBatchedSnappyCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedSnappyCompressAsync);
            case DEFLATE ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedDeflateCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedDeflateCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedDeflateCompressGetTempSize),
                            Nvcomp::nvcompBatchedDeflateCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedDeflateCompressAsync);
            case GDEFLATE ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedGdeflateCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedGdeflateCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedGdeflateCompressGetTempSize),
                            Nvcomp::nvcompBatchedGdeflateCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedGdeflateCompressAsync);
            case GZIP ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedGzipCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedGzipCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedGzipCompressGetTempSize),
                            Nvcomp::nvcompBatchedGzipCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedGzipCompressAsync);
            case ZSTD ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedZstdCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedZstdCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedZstdCompressGetTempSize),
                            Nvcomp::nvcompBatchedZstdCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedZstdCompressAsync);
            case BITCOMP ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedBitcompCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedBitcompCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedBitcompCompressGetTempSize),
                            Nvcomp::nvcompBatchedBitcompCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedBitcompCompressAsync);
            case CASCADED ->
                    new EncodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedCascadedCompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedCascadedCompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedCascadedCompressGetTempSize),
                            Nvcomp::nvcompBatchedCascadedCompressGetMaxOutputChunkSize,
                            Nvcomp::nvcompBatchedCascadedCompressAsync);
        };
    }
}
