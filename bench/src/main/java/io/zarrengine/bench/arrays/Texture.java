package io.zarrengine.bench.arrays;

/**
 * The parameters of a {@link NoisyField}, in units of its elements.
 *
 * @param mean of the values
 * @param amplitude of the waves along each dimension
 * @param wavelength of the longest waves, in elements
 * @param noise standard deviation
 * @param voidShare the share of elements, in lumps, that are 0 without noise
 */
public record Texture(
        double mean, double amplitude, double wavelength, double noise, double voidShare) {}
