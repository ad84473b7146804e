/** Stores: metadata documents and open chunk files. Depends on {@code io.zarrengine.uring}. */
package io.zarrengine.zarr.store;
