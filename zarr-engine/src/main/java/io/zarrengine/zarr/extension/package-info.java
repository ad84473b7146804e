/**
 * Custom codecs. Custom data types come from {@link io.zarrengine.zarr.datatype.DataTypeProvider}.
 *
 * <p>{@link java.util.ServiceLoader} finds providers, or a program gives them to the engine's
 * builder.
 */
package io.zarrengine.zarr.extension;
