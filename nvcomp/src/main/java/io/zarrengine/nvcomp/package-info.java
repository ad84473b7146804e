/**
 * nvCOMP: so far, whether a release that we know is installed, and what it can decode.
 *
 * <p>Depends on {@code io.zarrengine.bindings} and {@code io.zarrengine.cuda}.
 */
package io.zarrengine.nvcomp;
