/**
 * Open files, kept for those who read them again.
 *
 * <p>{@link io.zarrengine.uring.files.FileCache} is the entry: bounded, one opening for many who
 * ask at once, and never a file that is not the one that its path leads to.
 *
 * <p>Depends on {@code io.zarrengine.uring}.
 */
package io.zarrengine.uring.files;
