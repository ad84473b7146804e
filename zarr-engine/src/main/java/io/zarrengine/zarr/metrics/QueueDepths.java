package io.zarrengine.zarr.metrics;

/**
 * The waiting work and the work in flight of an engine. The numbers are read one after another
 * while the workers go on.
 *
 * @param requests reads of arrays that have not ended
 * @param readsInFlight reads of files that have not ended
 * @param readsArrived reads of files that have ended and are not decoded yet
 * @param budgetBytes bytes of the budget in use, without the bytes that workers hold from the start
 */
public record QueueDepths(int requests, int readsInFlight, int readsArrived, long budgetBytes) {}
