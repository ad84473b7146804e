/** Native memory for caches and results. Depends on {@code bindings} alone. */
package io.zarrengine.zarr.memory;
