/**
 * Undoes the shuffling of bytes or bits of elements: by machine code, with the Vector API, or in
 * plain Java.
 */
package io.zarrengine.zarr.shuffle;
