package io.zarrengine.cuda;

import java.io.IOException;

/** There is no room for an allocation: in the pool's budget, or on the device itself. */
public final class DeviceBudgetException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long requestedBytes;
    private final long availableBytes;

    DeviceBudgetException(long requestedBytes, long availableBytes, long budgetBytes) {
        super(
                "device memory: "
                        + requestedBytes
                        + " bytes asked for, "
                        + availableBytes
                        + " left of a budget of "
                        + budgetBytes);
        this.requestedBytes = requestedBytes;
        this.availableBytes = availableBytes;
    }

    DeviceBudgetException(long requestedBytes, long availableBytes, CudaException refusal) {
        super(
                "device memory: "
                        + requestedBytes
                        + " bytes asked for and within the budget, but the device has no more",
                refusal);
        this.requestedBytes = requestedBytes;
        this.availableBytes = availableBytes;
    }

    /** {@return what was asked for, in bytes} */
    public long requestedBytes() {
        return requestedBytes;
    }

    /** {@return what the budget had left, in bytes} */
    public long availableBytes() {
        return availableBytes;
    }
}
