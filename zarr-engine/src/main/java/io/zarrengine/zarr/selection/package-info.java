/**
 * Resolved selections of one array: the positions along each dimension, the shape of the result,
 * and its plan. Depends on {@code metadata} and {@code plan}.
 */
package io.zarrengine.zarr.selection;
