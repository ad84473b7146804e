/**
 * Codecs: from the bytes of a chunk file to the bytes of its elements, and back.
 *
 * <p>{@link io.zarrengine.zarr.codec.ChunkPipeline} is the chain of one array, checked and ready.
 * Transposing and byte order cost nothing here: they are a layout, applied when a chunk is placed.
 * A {@link io.zarrengine.zarr.codec.Workspace} holds what one worker needs to decode. Depends on
 * {@code metadata}, {@code bindings}, and on a pure-Java decoder where a native library is missing.
 */
package io.zarrengine.zarr.codec;
