/** Counters and events of JDK Flight Recorder. */
package io.zarrengine.zarr.metrics;
