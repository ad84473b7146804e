package io.zarrengine.nvcomp;

import java.lang.foreign.MemorySegment;

/**
 * The query functions of one format's decoder or encoder. nvCOMP has the same functions for each,
 * with other names and with other option types of equal size.
 *
 * @param alignments {@code …GetRequiredAlignments}
 * @param scratch5 {@code …GetTempSizeAsync}, its name in 5.x
 * @param scratch6 {@code …GetTempSize}, its name from 6.0 on, with a stream
 */
record QueryCalls(Alignments alignments, Scratch5 scratch5, Scratch6 scratch6) {
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
}
