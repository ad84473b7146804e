package io.zarrengine.gpu;

/** Who decodes a chunk: the device, which undoes an encoding, or a worker, for a reason. */
sealed interface Choice permits Encoding, HostDecoding {}
