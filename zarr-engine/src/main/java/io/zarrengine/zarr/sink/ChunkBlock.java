package io.zarrengine.zarr.sink;

import java.util.List;

/**
 * A run of elements of a chunk that is stored as it is: what is wanted of a block of it, with what
 * lies between.
 *
 * @param shape of the block, whose elements lie in C order
 * @param offset where the run begins in the block, in bytes
 */
public record ChunkBlock(List<Long> shape, long offset) {}
