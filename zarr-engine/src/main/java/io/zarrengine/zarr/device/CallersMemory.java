package io.zarrengine.zarr.device;

import java.util.OptionalLong;

/**
 * Memory of a device that the caller owns.
 *
 * @param pointer address of the first element on the device
 * @param after the caller's stream, whose work so far comes before the read; empty: none
 */
public record CallersMemory(long pointer, OptionalLong after) {}
