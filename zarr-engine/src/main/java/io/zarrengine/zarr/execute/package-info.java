/**
 * The threads that run reads: workers with their queues, callers that read for themselves, and the
 * executor that they share. The package {@code task} has the tasks that they run.
 */
package io.zarrengine.zarr.execute;
