package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The calls that a thread may make while a stream captures a graph. By default, the capture of any
 * other thread makes calls like {@code cudaEventQuery} fail and becomes invalid by them, although
 * nothing of ours belongs to its graph.
 *
 * @param code a {@code cudaStreamCaptureMode}
 * @see <a href="https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__STREAM.html">
 *     cudaThreadExchangeStreamCaptureMode</a>
 */
record CaptureMode(int code) {
    /** Permits all calls but those that concern what is captured. */
    static final CaptureMode RELAXED = new CaptureMode(Cudart.cudaStreamCaptureModeRelaxed());

    /**
     * Makes this the mode of the calling thread, whose device must be set.
     *
     * @return the mode before
     */
    CaptureMode exchange() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment mode = scratch.allocateFrom(JAVA_INT, code);
            int _ = Cudart.cudaThreadExchangeStreamCaptureMode(mode); // fails only for no mode
            return new CaptureMode(mode.get(JAVA_INT, 0));
        }
    }
}
