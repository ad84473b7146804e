/** The index of a shard, which gives the places of its inner chunks. Depends on {@code codec}. */
package io.zarrengine.zarr.shard;
