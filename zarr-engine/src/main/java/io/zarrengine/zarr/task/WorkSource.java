package io.zarrengine.zarr.task;

/** Something that hands out work, a little at a time, to whoever asks. Threads: any. */
public interface WorkSource {
    /**
     * Starts the next bit of work on the calling worker.
     *
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

    /** Has the requests fail that the work is a part of: then it needs no runner to end. */
    void fail(Throwable cause);

    /**
     * Has all of it fail, and ends what nobody has taken, here and now. It takes no memory: there
     * may be none, which is why nobody else can be told of the work.
     */
    default void discard(Throwable cause) {
        fail(cause);
        boolean isLeft = true;
        while (isLeft) {
            isLeft = startNext(null);
        }
    }

    /**
     * {@return whether there is work after all} Who has forgotten the source asks: other work may
     * have ended meanwhile, for which this had to wait.
     */
    default boolean hasNext() {
        return false;
    }
}
