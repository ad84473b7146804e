/** Counters of an engine, and its events for JDK Flight Recorder. */
package io.zarrengine.zarr.metrics;
