package io.zarrengine.cuda;

import java.io.IOException;

/** A CUDA call that failed. */
public class CudaException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;

    /**
     * Creates the exception for a failed call. The test of the answer is the caller's line, so that
     * a success never pays for the message.
     *
     * @param call the C function, e.g. {@code "cudaMemcpyAsync"}
     * @param subject what it acted on; may be empty
     * @param code what it answered
     */
    public CudaException(String call, String subject, int code) {
        super(call + "(" + subject + "): " + CudaError.of(code).cName() + " (" + code + ")");
        assert code != 0 : "cudaSuccess is no failure";
        this.call = call;
        this.code = code;
    }

    /** {@return the C function that failed} A failure of earlier work may show in a later call. */
    public String call() {
        return call;
    }

    /** {@return the number that it answered} */
    public int code() {
        return code;
    }

    /** {@return the error that the number stands for} */
    public CudaError error() {
        return CudaError.of(code);
    }
}
