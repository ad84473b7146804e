/**
 * Metadata documents: what an array or a group says of itself.
 *
 * <p>{@link io.zarrengine.zarr.metadata.MetadataReader} turns a {@code zarr.json} into an {@link
 * io.zarrengine.zarr.metadata.ArrayMetadata} or a {@link
 * io.zarrengine.zarr.metadata.GroupMetadata}, {@link io.zarrengine.zarr.metadata.MetadataV2Reader}
 * does so for the documents of version 2, and {@link io.zarrengine.zarr.metadata.MetadataWriter}
 * the other way. Every number is checked here, before anyone uses it as a size. Pure: no I/O.
 * Depends on {@code datatype}, {@code errors} and {@code json}.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html">Zarr v3 core
 *     specification</a>
 */
package io.zarrengine.zarr.metadata;
