/** Reads to a device, from the first step to the last. */
package io.zarrengine.gpu.read;
