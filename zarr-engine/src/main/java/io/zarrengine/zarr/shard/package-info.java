/** Where the inner chunks of a shard lie. Depends on {@code codec}. */
package io.zarrengine.zarr.shard;
