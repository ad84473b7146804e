/**
 * Files that a device reads by itself: registered with it, or around the host's memory; and pinned
 * memory that files are read to.
 */
package io.zarrengine.gpu.file;
