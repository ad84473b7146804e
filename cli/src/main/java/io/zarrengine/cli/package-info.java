/**
 * The {@code zarr-engine} command: one class for each subcommand, and shared classes.
 *
 * <p>Results go to the standard output, everything else to the standard error. Exit status: 0 done,
 * 1 failed or refused, 2 wrong usage.
 */
package io.zarrengine.cli;
