package io.zarrengine.bench.gpu;

import java.util.stream.DoubleStream;

/**
 * The limits of a machine with an array's own bytes, without checks, plans and placing. All in GB/s
 * of decoded bytes; NaN where there is nothing to decode.
 *
 * @param readAndCopy threads read stretches of shards into pinned memory, which are copied
 *     meanwhile
 * @param copyAndDecode stretches are in pinned memory already; nvCOMP decodes while others are
 *     copied
 * @param pipeline all of it, continuously
 * @param pipelineOnce all of it, once, with filling and draining
 */
record GpuLimits(double readAndCopy, double copyAndDecode, double pipeline, double pipelineOnce) {
    /** {@return the slower of the two halves of a pipeline} */
    double slowerHalf() {
        return DoubleStream.of(readAndCopy, copyAndDecode)
                .filter(rate -> !Double.isNaN(rate))
                .min()
                .orElse(Double.NaN);
    }
}
