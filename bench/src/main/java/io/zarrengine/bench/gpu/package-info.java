/**
 * Reads to a GPU beside what the machine, the link and nvCOMP alone can do: {@code bin/bench gpu}.
 */
package io.zarrengine.bench.gpu;
