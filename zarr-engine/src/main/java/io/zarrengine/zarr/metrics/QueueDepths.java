package io.zarrengine.zarr.metrics;

/**
 * The waiting and running work of an engine at one moment. The numbers are read one after the other
 * while the workers continue.
 *
 * @param requests reads of arrays that have not ended
 * @param readsInFlight reads of files that have not ended
 * @param readsArrived reads of files that have ended and are not decoded yet
 * @param budgetBytes reserved bytes of the budget, beyond the workers' initial share
 */
public record QueueDepths(int requests, int readsInFlight, int readsArrived, long budgetBytes) {}
