/**
 * The interface of bytes-to-bytes codecs, and the codecs that need only one file.
 *
 * <p>A {@link io.zarrengine.zarr.codec.BytesCodec} is one codec with its configuration. {@link
 * io.zarrengine.zarr.codec.ChunkDecoder} undoes a list of them. A {@link
 * io.zarrengine.zarr.codec.Workspace} holds the memory of one thread for that. Each format has a
 * package below this one; {@code pipeline} combines them.
 */
package io.zarrengine.zarr.codec;
