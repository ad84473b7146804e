package io.zarrengine.zarr.store;

/** The chunks of an array that are in objects of a store. Threads: any. */
public sealed interface ChunkObjects permits OpenedObjects, ZippedObjects {}
