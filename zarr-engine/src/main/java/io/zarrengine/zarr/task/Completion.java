package io.zarrengine.zarr.task;

/** Work that counts its parts. Threads: any. */
interface Completion {
    /** One part has ended, also if it failed. */
    void partEnded();
}
