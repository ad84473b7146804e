/**
 * The headers of compressed frames: numbers and flags, which are not checked, and limits.
 *
 * <p>Depends on nothing. The decoders on the CPU and the checks before those of a GPU read headers
 * here alone, through {@link io.zarrengine.bindings.frames.FrameBytes}, for which bytes of a mapped
 * file may vanish; what they take, and how they refuse the rest, is theirs.
 */
package io.zarrengine.bindings.frames;
