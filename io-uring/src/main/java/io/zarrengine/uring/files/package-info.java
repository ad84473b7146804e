/**
 * A cache of open files.
 *
 * <p>{@link io.zarrengine.uring.files.FileCache} is the entry. It is bounded, opens a file once for
 * all threads that request it at once, and never returns a file that is not the one that its path
 * leads to.
 *
 * <p>Depends on {@code io.zarrengine.uring}.
 */
package io.zarrengine.uring.files;
