/**
 * The {@code zstd} codec: decoders by machine code, by libzstd and in Java; an encoder by libzstd.
 */
package io.zarrengine.zarr.codec.zstd;
