/**
 * Stores that are no file systems: in memory, behind URLs, or of your own. {@link
 * io.zarrengine.zarr.objectstore.ObjectStore} is the interface; {@link
 * io.zarrengine.zarr.ZarrEngine} opens arrays in them.
 */
package io.zarrengine.zarr.objectstore;
