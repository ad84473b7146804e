/**
 * The interface of codecs that decode bytes to bytes, and the codecs of one file.
 *
 * <p>A {@link io.zarrengine.zarr.codec.BytesCodec} is one codec with its configuration; {@link
 * io.zarrengine.zarr.codec.ChunkDecoder} undoes a list of them; a {@link
 * io.zarrengine.zarr.codec.Workspace} holds what one thread needs for that. Each format has a
 * package of its own below this one; {@code pipeline} puts them together.
 */
package io.zarrengine.zarr.codec;
