/**
 * Description of a chunk for a device: its encoding, its bytes, and the targets of its elements.
 */
package io.zarrengine.gpu.chunk;
