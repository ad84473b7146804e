/** Native memory that caches are made of. Depends on {@code bindings} alone. */
package io.zarrengine.zarr.memory;
