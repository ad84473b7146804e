/**
 * CUDA: so far, whether this machine has a device that can be used, and if not, what is missing.
 *
 * <p>Depends on {@code io.zarrengine.bindings}.
 */
package io.zarrengine.cuda;
