/**
 * A read and its tasks: chunks, shards, shard indexes and stretches of files. A {@code TaskRunner}
 * with free capacity starts and runs them. The threads are in {@code execute}.
 */
package io.zarrengine.zarr.task;
