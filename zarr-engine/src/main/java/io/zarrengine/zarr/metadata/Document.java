package io.zarrengine.zarr.metadata;

/**
 * A metadata document.
 *
 * @param name its file, for messages
 * @param text UTF-8; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // Read once; never compared.
public record Document(String name, byte[] text) {}
