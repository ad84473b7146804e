/**
 * Places decoded elements: strided copies, fills and byte order.
 *
 * <p>Depends on {@code plan}.
 */
package io.zarrengine.zarr.place;
