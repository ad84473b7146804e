/**
 * nvCOMP: which release is installed and what it decodes ({@link
 * io.zarrengine.nvcomp.NvcompLibrary}), batches of chunks decoded ({@link
 * io.zarrengine.nvcomp.BatchDecoder}) and encoded ({@link io.zarrengine.nvcomp.BatchEncoder}) on a
 * device, and the check of each frame that comes before decoding ({@link
 * io.zarrengine.nvcomp.FrameCheck}).
 *
 * <p>Depends on {@code io.zarrengine.bindings} and {@code io.zarrengine.cuda}.
 *
 * <p>Exceptions are serializable as all of Java are; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.nvcomp;
