package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.shard.ShardIndex;

/** A shard that goes on when its index is known. */
public interface IndexWaiter {
    /** {@return the key of the shard} */
    ShardKey key();

    /** {@return the file that holds it} */
    FileHandle file();

    /** {@return the offset of its index in the file, in bytes} */
    long indexOffset();

    /** {@return the size of its encoded index, in bytes} */
    long indexBytes();

    /** {@return its name for messages} */
    String label();

    /** {@return whether a request still waits for it, and has not failed} */
    boolean isWanted();

    /** Continues with the index. */
    void indexFound(TaskRunner runner, ShardIndex index);

    /** Fails the request that it is a part of. */
    void fail(Throwable cause);

    /** Ends the shard, before it began or after all of it. */
    void end();
}
