package io.zarrengine.zarr.device;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The place of a result in memory of a device that the caller owns.
 *
 * @param pointer address of the first element on the device
 * @param after the caller's stream, whose work so far comes before the read; empty: none
 * @param ready completes when the read may begin
 */
public record TargetAddress(long pointer, OptionalLong after, CompletableFuture<?> ready) {}
