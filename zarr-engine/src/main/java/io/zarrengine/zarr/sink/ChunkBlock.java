package io.zarrengine.zarr.sink;

import java.util.List;

/**
 * The block of a chunk that is stored as it is, as a contiguous run of elements: the wanted ones
 * and those between them.
 *
 * @param shape of the block; its elements are in C order
 * @param offset of the run in the block, in bytes
 */
public record ChunkBlock(List<Long> shape, long offset) {}
