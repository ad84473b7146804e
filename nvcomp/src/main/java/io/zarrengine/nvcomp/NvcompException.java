package io.zarrengine.nvcomp;

import java.io.IOException;

/** Thrown when an nvCOMP call failed as a whole. The batch goes to the CPU. */
public final class NvcompException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    NvcompException(String call, String subject, int code) {
        super(call + "(" + subject + "): " + NvcompStatus.of(code) + " (" + code + ")");
        this.code = code;
    }

    /** {@return the result of the call} */
    public int code() {
        return code;
    }

    /** {@return the status with that number} */
    public NvcompStatus status() {
        return NvcompStatus.of(code);
    }
}
