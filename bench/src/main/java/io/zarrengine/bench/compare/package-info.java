/**
 * Compares the engine with other readers of Zarr, and with the limit of the machine: arrays, lists
 * of crops, workers in separate processes, and the report. Depends on the engine; run by {@code
 * bin/bench compare}.
 */
package io.zarrengine.bench.compare;
