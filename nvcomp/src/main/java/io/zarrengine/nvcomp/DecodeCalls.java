package io.zarrengine.nvcomp;

import io.zarrengine.bindings.nvcomp.Nvcomp;
import java.lang.foreign.MemorySegment;

/**
 * The functions of one format's decoder.
 *
 * @param queries the functions that are called before decoding
 * @param decompress {@code …DecompressAsync}
 */
record DecodeCalls(QueryCalls queries, Decompress decompress) {
    /**
     * {@code (sources, sourceBytes, capacities, actualBytes, chunks, scratch, scratchBytes,
     * targets, options, statuses, stream)}.
     */
    interface Decompress {
        int call( // Allowed: nvCOMP's function has eleven
                MemorySegment sources,
                MemorySegment sourceBytes,
                MemorySegment capacities,
                MemorySegment actualBytes,
                long chunks,
                MemorySegment scratch,
                long scratchBytes,
                MemorySegment targets,
                MemorySegment options,
                MemorySegment statuses,
                MemorySegment stream);
    }

    /**
     * Returns the functions of a format. The bindings resolve a function on its first call, so a
     * missing one affects no other.
     */
    static DecodeCalls of(NvcompFormat format) {
        return switch (format) {
            case LZ4 ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedLZ4DecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedLZ4DecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedLZ4DecompressGetTempSize),
                            Nvcomp::nvcompBatchedLZ4DecompressAsync);
            case SNAPPY ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedSnappyDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedSnappyDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedSnappyDecompressGetTempSize),
                            Nvcomp::nvcompBatchedSnappyDecompressAsync);
            case DEFLATE ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedDeflateDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedDeflateDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedDeflateDecompressGetTempSize),
                            Nvcomp::nvcompBatchedDeflateDecompressAsync);
            case GDEFLATE ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedGdeflateDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedGdeflateDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedGdeflateDecompressGetTempSize),
                            Nvcomp::nvcompBatchedGdeflateDecompressAsync);
            case GZIP ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedGzipDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedGzipDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedGzipDecompressGetTempSize),
                            Nvcomp::nvcompBatchedGzipDecompressAsync);
            case ZSTD ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedZstdDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedZstdDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedZstdDecompressGetTempSize),
                            Nvcomp::nvcompBatchedZstdDecompressAsync);
            case BITCOMP ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedBitcompDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedBitcompDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedBitcompDecompressGetTempSize),
                            Nvcomp::nvcompBatchedBitcompDecompressAsync);
            case CASCADED ->
                    new DecodeCalls(
                            new QueryCalls(
                                    Nvcomp::nvcompBatchedCascadedDecompressGetRequiredAlignments,
                                    Nvcomp::nvcompBatchedCascadedDecompressGetTempSizeAsync,
                                    Nvcomp::nvcompBatchedCascadedDecompressGetTempSize),
                            Nvcomp::nvcompBatchedCascadedDecompressAsync);
        };
    }
}
