/**
 * Compares reads of ranges with fio and a C program on liburing: {@code bin/bench io}.
 *
 * <p>{@link io.zarrengine.bench.io.IoComparison} runs the contenders in turns and prints a table.
 */
package io.zarrengine.bench.io;
