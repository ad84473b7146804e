/**
 * A chunk as a device takes it: what is to be decoded, where its bytes lie, and where its elements
 * go.
 */
package io.zarrengine.gpu.chunk;
