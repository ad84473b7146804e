package io.zarrengine.gpu.read;

import io.zarrengine.zarr.device.TargetAddress;
import java.util.concurrent.CompletableFuture;

/**
 * The wait for the caller's use of memory that is to be written. Threads: any.
 *
 * @param executor the device
 * @param begins completes when the memory may be written; fails if it may not
 * @param namesStream whether a stream of the caller is waited for
 */
record CallersTurn(DeviceExecutor executor, CompletableFuture<?> begins, boolean namesStream) {
    /** {@return the wait for memory of the caller's; for new memory, null, there is none} */
    static CallersTurn of(DeviceExecutor executor, TargetAddress callers) {
        if (callers == null) {
            return new CallersTurn(executor, CompletableFuture.completedFuture(null), false);
        }
        boolean namesStream = callers.after().isPresent();
        return new CallersTurn(
                executor,
                namesStream ? executor.passed(callers.after().getAsLong()) : callers.ready().copy(),
                namesStream);
    }

    /** {@return whether the memory may be written now} */
    boolean isNow() {
        return begins.isDone() && !begins.isCompletedExceptionally();
    }

    /** Ends the wait, if it has not ended. */
    void fail(Throwable cause) {
        if (begins.isDone()) {
            return;
        }
        if (namesStream) {
            // Not before the command that names the stream: a caller may close the stream of a read
            // that has ended.
            executor.work().post(_ -> begins.completeExceptionally(cause));
        } else {
            begins.completeExceptionally(cause);
        }
    }
}
