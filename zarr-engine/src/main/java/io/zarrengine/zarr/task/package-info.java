/**
 * A read, and the tasks that it consists of: chunks, shards and their indexes, stretches of files.
 * Tasks are started and run by whatever {@code TaskRunner} has room; {@code execute} has the
 * threads.
 */
package io.zarrengine.zarr.task;
