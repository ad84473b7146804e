/**
 * The types of array elements: their names in metadata, their sizes and their fill values.
 *
 * <p>{@link io.zarrengine.zarr.datatype.DataTypes} finds them by name. Pure: no I/O, no
 * dependencies.
 *
 * @see <a href="https://zarr-specs.readthedocs.io/en/latest/v3/data-types/index.html">Zarr v3 core
 *     data types</a>
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types">
 *     zarr-extensions, data types</a>
 */
package io.zarrengine.zarr.datatype;
