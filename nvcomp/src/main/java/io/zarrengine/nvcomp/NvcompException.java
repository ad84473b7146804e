package io.zarrengine.nvcomp;

import java.io.IOException;

/** An nvCOMP call that failed as a whole. The batch goes to the CPU. */
public final class NvcompException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    NvcompException(String call, String subject, int code) {
        super(call + "(" + subject + "): " + NvcompStatus.of(code) + " (" + code + ")");
        this.code = code;
    }

    /** {@return the number that it answered} */
    public int code() {
        return code;
    }

    /** {@return what the number stands for} */
    public NvcompStatus status() {
        return NvcompStatus.of(code);
    }
}
