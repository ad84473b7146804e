/**
 * The engine beside other readers of Zarr, and beside the limit of the machine: arrays, lists of
 * crops, workers in processes of their own, and the report. Depends on the engine; run by {@code
 * bin/bench compare}.
 */
package io.zarrengine.bench.compare;
