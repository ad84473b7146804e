/**
 * Metadata documents of arrays and groups.
 *
 * <p>{@link io.zarrengine.zarr.metadata.MetadataReader} parses a {@code zarr.json} into an {@link
 * io.zarrengine.zarr.metadata.ArrayMetadata} or a {@link
 * io.zarrengine.zarr.metadata.GroupMetadata}, {@link io.zarrengine.zarr.metadata.MetadataV2Reader}
 * parses the documents of version 2, and {@link io.zarrengine.zarr.metadata.MetadataWriter} writes
 * documents. The readers check every number before it is used as a size. Pure: no I/O. Depends on
 * {@code datatype}, {@code errors} and {@code json}.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html">Zarr v3 core
 *     specification</a>
 */
package io.zarrengine.zarr.metadata;
