package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.shard.ShardIndex;

/** A shard that goes on when its index is known. */
public interface IndexWaiter {
    /** {@return which shard it is} */
    ShardKey key();

    /** {@return the file that it lies in} */
    FileHandle file();

    /** {@return where its index begins in the file, in bytes} */
    long indexOffset();

    /** {@return the size of its encoded index, in bytes} */
    long indexBytes();

    /** {@return what it is, for messages} */
    String label();

    /** {@return whether a request still waits for it, and has not failed} */
    boolean isWanted();

    /** Goes on with the index that it waited for. */
    void indexFound(TaskRunner runner, ShardIndex index);

    /** Has the request fail that it is a part of. */
    void fail(Throwable cause);

    /** Ends it before it began, or after all of it. */
    void end();
}
