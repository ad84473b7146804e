/**
 * Takes the chunks of a read whose elements do not go to host memory, and lends memory for reads.
 */
package io.zarrengine.zarr.sink;
