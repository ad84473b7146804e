/** The {@code lz4} codec, and the decoders of raw LZ4, Snappy and BloscLZ blocks. */
package io.zarrengine.zarr.codec.lz77;
