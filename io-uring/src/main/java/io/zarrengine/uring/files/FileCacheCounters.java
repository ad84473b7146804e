package io.zarrengine.uring.files;

/**
 * Counters of a cache of files.
 *
 * @param hits requests for a file that was open
 * @param opens files that were opened, with success or not
 * @param evictions open files given up for others
 * @param replacements files given up because their path led to another version
 * @param shrinks times that half of the files were given up because the process had no descriptors
 *     left
 */
public record FileCacheCounters(
        long hits, long opens, long evictions, long replacements, long shrinks) {}
