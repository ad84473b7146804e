package io.zarrengine.gpu.chunk;

/** Who decodes a chunk: the device, which undoes an encoding, or a worker, for a reason. */
public sealed interface DecodeChoice permits DeviceEncoding, HostDecoding {}
