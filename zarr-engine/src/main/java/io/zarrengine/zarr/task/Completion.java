package io.zarrengine.zarr.task;

/** Is told when a part of it has ended, well or not. Threads: any. */
interface Completion {
    /** One part has ended. */
    void partEnded();
}
