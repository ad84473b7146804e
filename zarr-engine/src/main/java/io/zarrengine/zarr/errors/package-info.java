/**
 * What can go wrong, as types. What the engine throws is unchecked, and below {@link
 * io.zarrengine.zarr.errors.ZarrException}; a {@link io.zarrengine.zarr.errors.CodecException} is
 * the cause of a {@link io.zarrengine.zarr.errors.CorruptChunkException}, or of a {@link
 * io.zarrengine.zarr.errors.DecoderMissingException}.
 *
 * <p>Every message names the file, the field or the chunk, what was found and what was expected.
 * Depends on nothing.
 *
 * <p>Exceptions are serializable as all of Java are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.zarr.errors;
