/** Computes transforms of samples on a device: launches, and the queue of those under way. */
package io.zarrengine.gpu.transform;
