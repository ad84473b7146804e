package io.zarrengine.gpu.file;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.memory.MemoryBudget;

/**
 * How devices come to files by themselves.
 *
 * @param versions of files that are opened a second time
 * @param mapping which files are mapped for a device to copy from
 * @param pinned how much of such files all devices may keep in memory
 */
public record FileAccess(DirectFiles.Versions versions, MappingRule mapping, MemoryBudget pinned) {}
