/**
 * Compares the engine with other readers and with the machine: {@code compare} on the host, {@code
 * gpu} on a GPU, {@code io} for ranges of files. {@code src/main/c}, {@code python} and {@code
 * rust} have the other contenders.
 *
 * <p>Depends on all modules, and on packages that they do not export. No module depends on it.
 */
package io.zarrengine.bench;
