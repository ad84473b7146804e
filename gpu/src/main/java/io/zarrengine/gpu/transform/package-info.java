/** Computes transforms of samples on a device: what is launched, and what is under way. */
package io.zarrengine.gpu.transform;
