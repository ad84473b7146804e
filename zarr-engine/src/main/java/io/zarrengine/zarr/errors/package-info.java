/**
 * The engine's exceptions. They are unchecked subclasses of {@link
 * io.zarrengine.zarr.errors.ZarrException}. A checked {@link
 * io.zarrengine.zarr.errors.CodecException} is the cause of a {@link
 * io.zarrengine.zarr.errors.CorruptChunkException}, or of a {@link
 * io.zarrengine.zarr.errors.DecoderMissingException}.
 *
 * <p>Every message names the file, the field or the chunk, the value found and the value expected.
 * Depends on nothing.
 *
 * <p>Exceptions are serializable, as in Java in general; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.zarr.errors;
