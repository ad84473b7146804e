/**
 * A read and its tasks: chunks, shards and their indexes, stretches of files. A {@code TaskRunner}
 * that has room starts and runs tasks; the package {@code execute} has the threads.
 */
package io.zarrengine.zarr.task;
