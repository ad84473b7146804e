package io.zarrengine.zarr.diskcache;

/**
 * A version of an object. The size is a part of it, because a version that is a time of change may
 * have two contents.
 *
 * @param token as the store knows it, not empty
 * @param objectBytes size of the object
 */
public record KeptVersion(String token, long objectBytes) {
    /**
     * {@return whether ranges that were read at different times belong together} A weak ETag may
     * have two contents, as RFC 9111 says in section 3.4.
     */
    boolean isStrong() {
        return !token.isEmpty() && !token.startsWith("W/");
    }
}
