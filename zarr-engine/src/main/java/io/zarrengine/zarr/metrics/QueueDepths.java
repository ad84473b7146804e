package io.zarrengine.zarr.metrics;

/**
 * What waits in an engine, and what is under way, at one moment. The numbers are taken one after
 * the other while the workers go on.
 *
 * @param requests reads of arrays that have not ended
 * @param readsInFlight reads of files that have not ended
 * @param readsArrived reads of files that have ended and are not decoded yet
 * @param budgetBytes what is taken of the budget, beyond what the workers have from the start
 */
public record QueueDepths(int requests, int readsInFlight, int readsArrived, long budgetBytes) {}
