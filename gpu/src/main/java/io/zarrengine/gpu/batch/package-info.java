/**
 * Batches of chunks, and the thread of a device that copies slots, launches batches and ends them.
 */
package io.zarrengine.gpu.batch;
