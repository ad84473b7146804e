/**
 * Selections of one array, resolved to positions along each dimension, the shape of the result, and
 * a plan. Depends on {@code metadata} and {@code plan}.
 */
package io.zarrengine.zarr.selection;
