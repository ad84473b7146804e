package io.zarrengine.bench.gpu;

import java.util.List;
import java.util.Map;

/**
 * The results of one array.
 *
 * @param encoding of its chunks
 * @param ratio decoded bytes by encoded bytes
 * @param limits of the machine
 * @param rows kinds of reads
 * @param hostMicrosPerChunk CPU time of all threads in a steady stream, by inner chunks
 * @param latency of a read of one random inner chunk
 * @param decoder the least decoding time within that latency
 * @param timeline of one read of the whole array, a line for each batch
 * @param peers GB/s of peers by the kind of read; empty if there are none
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
    /** The target. With a higher latency the CPU path would be better. */
    static final double LATENCY_AIM_MICROS = 100;

    /** The target, for parsing and describing only. */
    static final double HOST_AIM_MICROS = 0.5;

    GpuResult {
        rows = List.copyOf(rows);
        timeline = List.copyOf(timeline);
        peers = Map.copyOf(peers);
    }

    /**
     * {@return the engine's GB/s for the kind of read that a peer was measured with: the whole
     * array or crops}
     */
    double comparable(String peer) {
        String work = peer.contains("crops") ? GpuRow.CROPS : GpuRow.ALL;
        return rows.stream()
                .filter(row -> row.work().endsWith(work))
                .mapToDouble(GpuRow::median)
                .findFirst()
                .orElse(Double.NaN);
    }

    /**
     * The latency of many reads, one after another.
     *
     * @param medianMicros the median
     * @param p99Micros the 99th percentile
     */
    record Latency(double medianMicros, double p99Micros) {}
}
