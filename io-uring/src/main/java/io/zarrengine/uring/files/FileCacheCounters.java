package io.zarrengine.uring.files;

/**
 * What a cache of files has done.
 *
 * @param hits files that were open already
 * @param opens files that had to be opened, whether that succeeded or not
 * @param evictions open files given up for others
 * @param replacements files given up because their path led to another version
 * @param shrinks how often half of the files were given up because the process had no descriptors
 *     left
 */
public record FileCacheCounters(
        long hits, long opens, long evictions, long replacements, long shrinks) {}
