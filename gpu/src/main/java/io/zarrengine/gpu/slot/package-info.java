/** Pinned slots that workers fill with chunks, and their copies to a device. */
package io.zarrengine.gpu.slot;
