/**
 * Our own machine code for the CPU: loads it, and calls its decoders, shuffles, row copies and
 * transforms.
 *
 * <p>The code itself is in the module {@code io.zarrengine.kernels}. Each type says why it is not
 * available where the processor or the system cannot run it; other code then does the same work.
 */
package io.zarrengine.bindings.machinecode;
