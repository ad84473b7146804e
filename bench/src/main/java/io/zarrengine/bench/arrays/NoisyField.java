package io.zarrengine.bench.arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.zarr.ArrayWriter;
import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Generates waves with noise, like data of sensors: smooth enough that a codec saves something,
 * noisy enough that it does not save everything. An element depends only on its position, so chunks
 * may be generated in any order and on any thread, and every layout of an array has the same
 * elements. Immutable.
 */
public final class NoisyField implements ArrayWriter.ChunkSource {
    /** Wider than the shortest matches of LZ4. */
    private static final double VOID_WAVELENGTH = 40;

    /** The mean of the sum of four uniform numbers of 16 bits. */
    private static final double SUM_MEAN = 2 * 65535.0;

    private static final double SUM_DEVIATION = Math.sqrt(4 / 12.0) * 65536;

    private final NumericType type;
    private final long[] shape;
    private final long[] chunkShape;
    private final Texture texture;
    private final double[][] waves;
    private final double[][] voids;
    private final double voidThreshold;

    public NoisyField(BenchArray array) {
        type = array.type();
        shape = array.shape();
        chunkShape = array.chunkShape();
        texture = array.texture();
        SplittableRandom random = new SplittableRandom(array.family().seed());
        waves = new double[shape.length][];
        voids = new double[shape.length][];
        for (int d = 0; d < shape.length; d++) {
            double wavelength = texture.wavelength() * (0.7 + 0.6 * random.nextDouble());
            waves[d] = wave(shape[d], texture.amplitude(), wavelength, random.nextDouble());
            voids[d] = wave(shape[d], 1, VOID_WAVELENGTH, random.nextDouble());
        }
        voidThreshold = voidThreshold(random);
    }

    private static double[] wave(long length, double amplitude, double wavelength, double phase) {
        double[] wave = new double[Math.toIntExact(length)];
        for (int i = 0; i < wave.length; i++) {
            wave[i] = amplitude * Math.sin(2 * Math.PI * (i / wavelength + phase));
        }
        return wave;
    }

    /** Returns the height that a {@link Texture#voidShare()} of sampled void waves is below. */
    private double voidThreshold(SplittableRandom random) {
        double[] heights = new double[10_000];
        for (int i = 0; i < heights.length; i++) {
            for (double[] wave : voids) {
                heights[i] += wave[random.nextInt(wave.length)];
            }
        }
        Arrays.sort(heights);
        return texture.voidShare() == 0
                ? Double.NEGATIVE_INFINITY
                : heights[(int) (texture.voidShare() * heights.length)];
    }

    @Override
    public void fill(long[] coordinates, MemorySegment elements) {
        int last = shape.length - 1;
        long[] position = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            position[d] = coordinates[d] * chunkShape[d];
        }
        long rowLength = chunkShape[last];
        long rows = elements.byteSize() / type.byteSize() / rowLength;
        for (long row = 0; row < rows; row++) {
            fillRow(position, elements, row * rowLength);
            for (int d = last - 1; d >= 0 && !advance(position, coordinates, d); d--) {
                position[d] = coordinates[d] * chunkShape[d];
            }
        }
    }

    /** Advances along a dimension; returns false after the last position of the chunk. */
    private boolean advance(long[] position, long[] coordinates, int d) {
        return ++position[d] < (coordinates[d] + 1) * chunkShape[d];
    }

    private void fillRow(long[] position, MemorySegment elements, long at) {
        int last = shape.length - 1;
        double height = texture.mean();
        double voidHeight = 0;
        long index = 0;
        for (int d = 0; d < last; d++) {
            height += waves[d][(int) position[d]];
            voidHeight += voids[d][(int) position[d]];
            index = (index + position[d]) * shape[d + 1];
        }
        int begin = (int) position[last];
        for (int i = 0; i < chunkShape[last]; i++) {
            double value =
                    voidHeight + voids[last][begin + i] < voidThreshold
                            ? 0
                            : height
                                    + waves[last][begin + i]
                                    + texture.noise() * noise(index + begin + i);
            set(elements, at + i, value);
        }
    }

    /** Returns nearly normal noise of deviation 1. */
    private static double noise(long index) {
        long bits = mix(index);
        long sum =
                (bits & 0xffff) + (bits >>> 16 & 0xffff) + (bits >>> 32 & 0xffff) + (bits >>> 48);
        return (sum - SUM_MEAN) / SUM_DEVIATION;
    }

    /**
     * Maps a counter to a number, as SplittableRandom does.
     *
     * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea, Flood: Fast Splittable
     *     Pseudorandom Number Generators, figure 16</a>
     */
    private static long mix(long index) {
        long bits = index * 0x9e3779b97f4a7c15L;
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }

    private void set(MemorySegment elements, long at, double value) {
        switch (type) {
            case UINT8 -> elements.set(JAVA_BYTE, at, (byte) Math.clamp(Math.round(value), 0, 255));
            case INT16, UINT16 -> elements.setAtIndex(JAVA_SHORT, at, (short) Math.round(value));
            case FLOAT32 ->
                    // Packed data, as in weather archives: steps of a 64th.
                    elements.setAtIndex(JAVA_FLOAT, at, Math.round(value * 64) / 64f);
            default -> throw new IllegalArgumentException("no field of the type " + type);
        }
    }
}
