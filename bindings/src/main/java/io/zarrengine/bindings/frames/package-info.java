/**
 * The headers of compressed frames: unchecked numbers and flags, and limits.
 *
 * <p>Depends on nothing. The decoders on the CPU and the checks before GPU decoders read headers
 * only here, through {@link io.zarrengine.bindings.frames.FrameBytes}, because bytes of a mapped
 * file may vanish. Each decoder decides which headers it accepts and how it refuses others.
 */
package io.zarrengine.bindings.frames;
