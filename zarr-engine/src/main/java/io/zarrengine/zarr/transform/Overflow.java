package io.zarrengine.zarr.transform;

/** How a number becomes an integer that is beyond the range of its type. */
public enum Overflow {
    /** The nearest number of the range. NaN becomes 0. */
    CLAMP,
    /** The number modulo 2<sup>bits</sup>, as in C and NumPy. NaN and infinities become 0. */
    WRAP
}
