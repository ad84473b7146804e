/**
 * What the headers of compressed frames say: numbers and flags, which are not checked.
 *
 * <p>Depends on {@link io.zarrengine.bindings.MappedBytes}. The decoders on the CPU and the checks
 * before those of a GPU both read here; what they take, and how they refuse the rest, is theirs.
 */
package io.zarrengine.bindings.frames;
