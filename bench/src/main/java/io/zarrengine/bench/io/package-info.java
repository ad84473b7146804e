/**
 * {@code bin/bench io}: reads of ranges against fio and a C program on liburing, side by side.
 *
 * <p>{@link io.zarrengine.bench.io.IoComparison} runs the contenders in turns and prints a table.
 */
package io.zarrengine.bench.io;
