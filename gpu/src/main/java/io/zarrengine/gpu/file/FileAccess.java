package io.zarrengine.gpu.file;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.memory.MemoryBudget;

/**
 * The rules by which devices access files by themselves.
 *
 * @param versions finds versions of files that are opened a second time
 * @param mapping decides which files are mapped for a device to copy from
 * @param pinned the budget of all devices for pinned pages of such files
 */
public record FileAccess(DirectFiles.Versions versions, MappingRule mapping, MemoryBudget pinned) {}
