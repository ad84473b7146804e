/**
 * Compares reads to a GPU with the limits of the machine, the link and nvCOMP: {@code bin/bench
 * gpu}.
 */
package io.zarrengine.bench.gpu;
