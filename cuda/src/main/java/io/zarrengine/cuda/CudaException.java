package io.zarrengine.cuda;

import java.io.IOException;

/** Thrown when a CUDA call failed. */
public class CudaException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int code;

    /**
     * Creates the exception for a failed call. The caller checks the result itself, so that a
     * successful call does not build the message.
     *
     * @param call the C function, e.g. {@code "cudaMemcpyAsync"}
     * @param subject the arguments or object, for the message; may be empty
     * @param code the result of the call
     */
    public CudaException(String call, String subject, int code) {
        super(call + "(" + subject + "): " + CudaError.of(code).cName() + " (" + code + ")");
        assert code != 0 : "cudaSuccess is no failure";
        this.call = call;
        this.code = code;
    }

    /** {@return the C function that failed} A later call may report a failure of earlier work. */
    public String call() {
        return call;
    }

    /** {@return the result of the call} */
    public int code() {
        return code;
    }

    /** {@return the error with that number} */
    public CudaError error() {
        return CudaError.of(code);
    }
}
