/**
 * Files that a device reads by itself, registered or directly, and pinned memory that files are
 * read into.
 */
package io.zarrengine.gpu.file;
