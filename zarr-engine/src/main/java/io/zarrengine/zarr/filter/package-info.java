/**
 * Codecs that encode an array as another array, and the other steps between the bytes of a chunk
 * and its elements: casts, scales, differences, packed bits, byte order.
 *
 * <p>{@link io.zarrengine.zarr.filter.ArrayFilterRegistry} finds them by name.
 */
package io.zarrengine.zarr.filter;
