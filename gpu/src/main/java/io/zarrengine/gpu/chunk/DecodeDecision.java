package io.zarrengine.gpu.chunk;

/** The decoder of a chunk: the device, with an encoding to undo, or a worker, with a reason. */
public sealed interface DecodeDecision permits DeviceEncoding, HostDecoding {}
