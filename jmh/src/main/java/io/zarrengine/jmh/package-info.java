/**
 * Microbenchmarks: one question per class, with its unit, a baseline and an estimate made before
 * measuring. {@code jmh/README.md} says how to run them and what they showed.
 *
 * <p>Depends on all modules, and on packages that they do not export. No module depends on it.
 */
package io.zarrengine.jmh;
