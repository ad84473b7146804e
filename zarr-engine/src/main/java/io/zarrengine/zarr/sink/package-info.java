/**
 * Who takes the chunks of a read whose elements do not go to memory of the host, and the memory
 * that it lends for reads.
 */
package io.zarrengine.zarr.sink;
