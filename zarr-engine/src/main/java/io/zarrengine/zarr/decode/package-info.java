/**
 * Decodes chunks and places their elements: directly, row by row, block by block, or from the
 * workspace. Caches decoded chunks for later reads.
 */
package io.zarrengine.zarr.decode;
