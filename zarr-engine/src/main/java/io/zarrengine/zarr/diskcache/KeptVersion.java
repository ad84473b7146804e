package io.zarrengine.zarr.diskcache;

/**
 * A version of an object. The size is a part of it, because a version that is a time of change may
 * have two contents.
 *
 * @param token as the store knows it, not empty
 * @param objectBytes size of the object
 */
public record KeptVersion(String token, long objectBytes) {}
