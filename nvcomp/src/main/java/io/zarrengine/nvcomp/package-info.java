/**
 * nvCOMP on a device. {@link io.zarrengine.nvcomp.NvcompLibrary} finds the installed release and
 * its formats, {@link io.zarrengine.nvcomp.BatchDecoder} decodes batches of chunks, {@link
 * io.zarrengine.nvcomp.BatchEncoder} encodes them, and {@link io.zarrengine.nvcomp.FrameCheck}
 * checks each frame before decoding.
 *
 * <p>Depends on {@code io.zarrengine.bindings} and {@code io.zarrengine.cuda}.
 *
 * <p>Exceptions are serializable like all Java exceptions; their serialized form is not specified.
 *
 * @serial exclude
 */
package io.zarrengine.nvcomp;
