/**
 * The threads that run reads: workers with their queues, calling threads that run their own reads,
 * and the executor that they share. Their tasks are in {@code task}.
 */
package io.zarrengine.zarr.execute;
