/**
 * Custom codecs. Custom data types come from {@link io.zarrengine.zarr.datatype.DataTypeProvider}.
 *
 * <p>The engine finds providers with {@link java.util.ServiceLoader}, or gets them from its
 * builder.
 */
package io.zarrengine.zarr.extension;
