package io.zarrengine.cuda;

import java.io.IOException;

/** Thrown when an allocation exceeds the pool's budget or the device's free memory. */
public final class DeviceBudgetException extends IOException {
    private static final long serialVersionUID = 1L;

    private final long requestedBytes;
    private final long availableBytes;
    private final long budgetBytes;

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
        this.budgetBytes = budgetBytes;
    }

    DeviceBudgetException(
            long requestedBytes, long availableBytes, long budgetBytes, CudaException refusal) {
        super(
                "device memory: "
                        + requestedBytes
                        + " bytes asked for and within the budget, but the device has no more",
                refusal);
        this.requestedBytes = requestedBytes;
        this.availableBytes = availableBytes;
        this.budgetBytes = budgetBytes;
    }

    /** {@return the requested bytes} */
    public long requestedBytes() {
        return requestedBytes;
    }

    /** {@return the bytes left in the budget; if that is enough, the device had no more memory} */
    public long availableBytes() {
        return availableBytes;
    }

    /** {@return the whole budget, in bytes} */
    public long budgetBytes() {
        return budgetBytes;
    }
}
