/**
 * Codecs of one's own. Data types of one's own come from {@link
 * io.zarrengine.zarr.datatype.DataTypeProvider}.
 *
 * <p>Providers are found by {@link java.util.ServiceLoader}, or given to the engine's builder.
 */
package io.zarrengine.zarr.extension;
