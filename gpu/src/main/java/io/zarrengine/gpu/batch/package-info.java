/** Batches of chunks, and the device thread, which copies slots, launches batches and ends them. */
package io.zarrengine.gpu.batch;
