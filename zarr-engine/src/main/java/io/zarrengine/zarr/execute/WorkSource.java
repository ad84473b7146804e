package io.zarrengine.zarr.execute;

/** Something that hands out work, a little at a time, to whoever asks. Threads: any. */
interface WorkSource {
    /**
     * Starts the next bit of work on the calling worker.
     *
     * @return false if there is none left: the source is then forgotten
     */
    boolean startNext(TaskRunner runner);
}
