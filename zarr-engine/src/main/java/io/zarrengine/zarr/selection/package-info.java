/**
 * Selections of one array, resolved: which positions are wanted of each dimension, the shape of the
 * result, and its plan. Depends on {@code metadata} and {@code plan}.
 */
package io.zarrengine.zarr.selection;
