package io.zarrengine.nvcomp;

import io.zarrengine.bindings.nvcomp.Nvcomp;
import java.lang.foreign.MemorySegment;

/**
 * The functions of one format. nvCOMP has the same ones for each, under other names and with other
 * option types of one size.
 *
 * @param alignments {@code …DecompressGetRequiredAlignments}
 * @param scratch5 {@code …DecompressGetTempSizeAsync}, its name in 5.x
 * @param scratch6 {@code …DecompressGetTempSize}, its name from 6.0 on, with a stream
 * @param decompress {@code …DecompressAsync}
 */
record FormatCalls(
        Alignments alignments, Scratch5 scratch5, Scratch6 scratch6, Decompress decompress) {
    /** {@code (options, alignments)}. */
    interface Alignments {
        int call(MemorySegment options, MemorySegment alignments);
    }

    /** {@code (chunks, chunkBytesMax, options, scratchBytes, totalBytes)}. */
    interface Scratch5 {
        int call(long chunks, long max, MemorySegment options, MemorySegment bytes, long total);
    }

    /** {@code (chunks, chunkBytesMax, options, scratchBytes, totalBytes, stream)}. */
    interface Scratch6 {
        int call(
                long chunks,
                long max,
                MemorySegment options,
                MemorySegment bytes,
                long total,
                MemorySegment stream);
    }

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
     * The bindings resolve a function when it is first called, so a missing one breaks no other.
     */
    static FormatCalls of(NvcompFormat format) {
        return switch (format) {
            case LZ4 ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedLZ4DecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedLZ4DecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedLZ4DecompressGetTempSize,
                            Nvcomp::nvcompBatchedLZ4DecompressAsync);
            case SNAPPY ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedSnappyDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedSnappyDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedSnappyDecompressGetTempSize,
                            Nvcomp::nvcompBatchedSnappyDecompressAsync);
            case DEFLATE ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedDeflateDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedDeflateDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedDeflateDecompressGetTempSize,
                            Nvcomp::nvcompBatchedDeflateDecompressAsync);
            case GDEFLATE ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedGdeflateDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedGdeflateDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedGdeflateDecompressGetTempSize,
                            Nvcomp::nvcompBatchedGdeflateDecompressAsync);
            case GZIP ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedGzipDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedGzipDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedGzipDecompressGetTempSize,
                            Nvcomp::nvcompBatchedGzipDecompressAsync);
            case ZSTD ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedZstdDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedZstdDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedZstdDecompressGetTempSize,
                            Nvcomp::nvcompBatchedZstdDecompressAsync);
            case BITCOMP ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedBitcompDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedBitcompDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedBitcompDecompressGetTempSize,
                            Nvcomp::nvcompBatchedBitcompDecompressAsync);
            case CASCADED ->
                    new FormatCalls(
                            Nvcomp::nvcompBatchedCascadedDecompressGetRequiredAlignments,
                            Nvcomp::nvcompBatchedCascadedDecompressGetTempSizeAsync,
                            Nvcomp::nvcompBatchedCascadedDecompressGetTempSize,
                            Nvcomp::nvcompBatchedCascadedDecompressAsync);
        };
    }
}
