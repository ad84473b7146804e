/**
 * Shuffled elements: putting their bytes, or bits, side by side again, by machine code, with the
 * Vector API, or in plain Java.
 */
package io.zarrengine.zarr.shuffle;
