package io.zarrengine.zarr.task;

/** Hands out work, a little at a time, to any worker that asks for it. Threads: any. */
public interface WorkSource {
    /**
     * Starts the next bit of work on the calling worker.
     *
     * @param runner null if the work has failed: then the bit ends at once
     * @return false if there is none left: the source is then forgotten
     */
    boolean startNext(TaskRunner runner);

    /**
     * {@return whether its reads go to memory that a sink lends: then they wait while there are
     * enough of them}
     */
    default boolean isToLentMemory() {
        return false;
    }

    /** Fails the requests that the work is a part of. The work then needs no runner to end. */
    void fail(Throwable cause);

    /**
     * Fails the requests, and ends the work that no worker has taken. Allocates nothing, because it
     * is called when memory has run out.
     */
    default void discard(Throwable cause) {
        fail(cause);
        boolean isLeft = true;
        while (isLeft) {
            isLeft = startNext(null);
        }
    }

    /**
     * {@return whether there is work after all} The work queue asks when it has forgotten the
     * source, because other work that this waited for may have ended meanwhile.
     */
    default boolean hasNext() {
        return false;
    }
}
