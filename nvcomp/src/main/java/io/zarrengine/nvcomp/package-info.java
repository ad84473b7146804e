/**
 * nvCOMP: which release is installed and what it decodes ({@link
 * io.zarrengine.nvcomp.NvcompLibrary}), batches of chunks decoded on a device ({@link
 * io.zarrengine.nvcomp.BatchDecoder}), and the check of each frame that comes before ({@link
 * io.zarrengine.nvcomp.FrameCheck}).
 *
 * <p>Depends on {@code io.zarrengine.bindings} and {@code io.zarrengine.cuda}.
 */
package io.zarrengine.nvcomp;
