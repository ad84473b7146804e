/**
 * The threads that run reads: workers with their queues, callers that read for themselves, and the
 * executor that they share. What they run is in {@code task}.
 */
package io.zarrengine.zarr.execute;
