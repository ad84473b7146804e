package io.zarrengine.cli;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.NumericType;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;

/** A picture of a two-dimensional result: rows downwards, columns to the right. */
final class Picture {
    /** Limit of an image. */
    private static final long PIXELS_MAX = 1L << 28;

    private final double[] values; // shape (height, width), C order; NaN for missing numbers
    private final int width;
    private final int height;

    private Picture(double[] values, int width, int height) {
        this.values = values;
        this.width = width;
        this.height = height;
    }

    /**
     * The values at the ends of a colormap.
     *
     * @param low the value of the first colour
     * @param high the value of the last colour
     */
    record Range(double low, double high) {
        /** Returns the position of a value: 0 at the low end and 1 at the high one. */
        double position(double value) {
            double length =
                    high / 2 - low / 2; // Halves, because the difference may overflow a double.
            return length == 0 ? Math.signum(value - low) : (value / 2 - low / 2) / length;
        }
    }

    /**
     * {@return height and width of the picture of a result}
     *
     * @throws IllegalArgumentException if the result does not have two dimensions (of more than
     *     two, those of length 1 are ignored), or is too large
     */
    static long[] sizeOf(DataType type, long[] shape) {
        long[] lengths = shape;
        if (lengths.length > 2) {
            lengths = Arrays.stream(shape).filter(length -> length != 1).toArray();
        }
        String what = type.typeName() + Arrays.toString(shape);
        if (lengths.length != 2 || !(type instanceof NumericType)) {
            throw new IllegalArgumentException(
                    what + " is no picture: give indexes for all but two dimensions of numbers");
        }
        if (lengths[0] * lengths[1] > PIXELS_MAX || lengths[0] * lengths[1] == 0) {
            throw new IllegalArgumentException(
                    what + " makes no picture of 1 to " + PIXELS_MAX + " pixels: give steps");
        }
        return lengths;
    }

    /**
     * {@return the picture of a result}
     *
     * @throws IllegalArgumentException as {@link #sizeOf}
     */
    static Picture of(HostTensor tensor) {
        long[] size = sizeOf(tensor.dataType(), tensor.shape());
        NumericType type = (NumericType) tensor.dataType();
        double[] values = new double[(int) (size[0] * size[1])];
        Arrays.setAll(values, i -> type.toDouble(element(tensor.segment(), i, type.byteSize())));
        return new Picture(values, (int) size[1], (int) size[0]);
    }

    private static long element(MemorySegment segment, long i, int bytes) {
        return switch (bytes) {
            case 1 -> Byte.toUnsignedLong(segment.get(ValueLayout.JAVA_BYTE, i));
            case 2 ->
                    Short.toUnsignedLong(
                            segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, i * Short.BYTES));
            case 4 ->
                    Integer.toUnsignedLong(
                            segment.get(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES));
            default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i * bytes);
        };
    }

    /** {@return the range from the smallest to the largest number; (0, 1) if there is none} */
    Range fullRange() {
        var statistics = DoubleStream.of(values).filter(Double::isFinite).summaryStatistics();
        return statistics.getCount() == 0
                ? new Range(0, 1)
                : new Range(statistics.getMin(), statistics.getMax());
    }

    /** Writes the picture as PNG. */
    void writePng(Colormap colormap, Range range, OutputStream out) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double value = values[y * width + x];
                image.setRGB(x, y, colormap.rgb(range.position(value)));
            }
        }
        ImageIO.write(image, "png", out);
    }
}
