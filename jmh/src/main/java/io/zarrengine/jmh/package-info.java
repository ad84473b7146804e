/**
 * Microbenchmarks: one question per class, with its unit, a baseline and an estimate that was made
 * before measuring. {@code jmh/README.md} says how to run them and what they showed.
 *
 * <p>Depends on all modules, and on packages that they do not export. Nobody depends on it.
 */
package io.zarrengine.jmh;
