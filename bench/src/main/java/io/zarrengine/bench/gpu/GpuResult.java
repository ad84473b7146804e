package io.zarrengine.bench.gpu;

import java.util.List;
import java.util.Map;

/**
 * All about one array.
 *
 * @param encoding of its chunks
 * @param ratio decoded bytes by encoded bytes
 * @param limits of the machine
 * @param rows kinds of reads
 * @param hostMicrosPerChunk CPU time of all threads in a steady stream, by inner chunks
 * @param latency of a read of one inner chunk, random ones in turns
 * @param decoder what of that decoding takes at least
 * @param timeline of one read of all, a line a batch
 * @param peers GB/s of others by the kind of read; empty if there are none here
 */
record GpuResult(
        GpuEncoding encoding,
        double ratio,
        GpuLimits limits,
        List<GpuRow> rows,
        double hostMicrosPerChunk,
        Latency latency,
        DecoderAlone decoder,
        List<String> timeline,
        Map<String, Double> peers) {
    /** The aim: below it the CPU path would be the better one anyway. */
    static final double LATENCY_AIM_MICROS = 100;

    /** The aim, which is of parsing and describing alone. */
    static final double HOST_AIM_MICROS = 0.5;

    GpuResult {
        rows = List.copyOf(rows);
        timeline = List.copyOf(timeline);
        peers = Map.copyOf(peers);
    }

    /** {@return the engine's GB/s of what a peer was measured with, of all or of crops} */
    double comparable(String peer) {
        String work = peer.contains("crops") ? GpuRow.CROPS : GpuRow.ALL;
        return rows.stream()
                .filter(row -> row.work().endsWith(work))
                .mapToDouble(GpuRow::median)
                .findFirst()
                .orElse(Double.NaN);
    }

    /**
     * Of many reads, one after another.
     *
     * @param medianMicros the one in the middle
     * @param p99Micros the one that 99 of 100 do not exceed
     */
    record Latency(double medianMicros, double p99Micros) {}
}
