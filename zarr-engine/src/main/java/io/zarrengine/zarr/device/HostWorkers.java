package io.zarrengine.zarr.device;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.task.ReadRequest;

/** The engine's threads that read and decode. Threads: any. */
public interface HostWorkers {
    /**
     * Starts a request.
     *
     * @param request not submitted before
     * @throws ClosedException if the engine is closed; the request has not begun
     */
    void submit(ReadRequest request);

    /**
     * Starts a request whose caller waits for it. If the request is small and in the page cache,
     * the calling thread reads it itself, and no worker wakes up.
     *
     * @param request not submitted before
     * @param bytes size of its result
     * @throws ClosedException if the engine is closed; the request has not begun
     */
    void submitAndHelp(ReadRequest request, long bytes);
}
