/**
 * Puts decoded elements where they belong: strided copies and fills, with byte order.
 *
 * <p>Depends on {@code plan}.
 */
package io.zarrengine.zarr.place;
