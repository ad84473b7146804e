/** A cache on a local disk of what was read from object stores. */
package io.zarrengine.zarr.diskcache;
