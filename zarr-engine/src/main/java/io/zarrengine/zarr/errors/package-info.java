/**
 * What can go wrong, as types: all unchecked, all below {@link
 * io.zarrengine.zarr.errors.ZarrException}.
 *
 * <p>Every message names the file, the field or the chunk, what was found and what was expected.
 * Depends on nothing.
 */
package io.zarrengine.zarr.errors;
