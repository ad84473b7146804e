/**
 * The exceptions of the engine. The engine throws unchecked subclasses of {@link
 * io.zarrengine.zarr.errors.ZarrException}. A {@link io.zarrengine.zarr.errors.CodecException} is
 * the cause of a {@link io.zarrengine.zarr.errors.CorruptChunkException} or of a {@link
 * io.zarrengine.zarr.errors.DecoderMissingException}.
 *
 * <p>Every message names the file, the field or the chunk, the value found and the value expected.
 * Depends on nothing.
 *
 * <p>Exceptions are serializable, as all of Java's are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.zarr.errors;
