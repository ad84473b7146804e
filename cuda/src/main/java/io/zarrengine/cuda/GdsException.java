package io.zarrengine.cuda;

import io.zarrengine.bindings.cufile.CUfileError_t;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Thrown when a cuFile call failed. */
public final class GdsException extends IOException {
    private static final long serialVersionUID = 1L;

    private final GdsStatus status;

    GdsException(String call, String subject, int code, String more) {
        super(
                "%s(%s): %s (%d%s)"
                        .formatted(call, subject, GdsStatus.of(code).meaning(), code, more));
        this.status = GdsStatus.of(code);
    }

    /** Returns if a call's result is a success, and throws otherwise. */
    static void check(MemorySegment answer, String call, String subject) throws GdsException {
        int code = CUfileError_t.err(answer);
        if (code != GdsStatus.SUCCESS.code()) {
            int cuda = CUfileError_t.cu_err(answer);
            throw new GdsException(call, subject, code, cuda == 0 ? "" : ", CUDA " + cuda);
        }
    }

    /** {@return the result of the call} */
    public GdsStatus status() {
        return status;
    }
}
