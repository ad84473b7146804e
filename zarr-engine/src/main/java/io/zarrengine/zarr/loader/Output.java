package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.transform.Kernel;
import io.zarrengine.zarr.transform.Transform;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A tensor of a batch, computed from those that were read. Threads: any.
 *
 * @param name of the tensor
 * @param channels the tensors that it is computed from
 * @param isStack whether the channels are its second dimension
 */
record Output(String name, List<Channel> channels, boolean isStack) {
    /**
     * One array of an output.
     *
     * @param variable index of the array in the loader
     * @param transform of its samples
     * @param type of its elements
     * @param idle kernels that no thread uses
     */
    record Channel(int variable, Transform transform, NumericType type, Queue<Made> idle) {
        Channel(int variable, Transform transform, NumericType type) {
            this(variable, transform, type, new ConcurrentLinkedQueue<>());
        }

        /** {@return a kernel for samples of a shape, for one thread until it is given back} */
        Made take(long[] shape) {
            Made kernel = idle.poll();
            return kernel != null && Arrays.equals(kernel.shape(), shape)
                    ? kernel
                    : new Made(shape, Kernel.of(transform, type, shape));
        }

        void giveBack(Made kernel) {
            idle.add(kernel);
        }
    }

    /** A kernel and the shape of its samples. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Made(long[] shape, Kernel kernel) {}

    NumericType type() {
        Channel first = channels.getFirst();
        return first.transform().typeAfter(first.type());
    }

    /**
     * {@return the shape of the result of one sample}
     *
     * @param shapes of the sample of each array of the loader
     * @throws IllegalArgumentException if a transform does not fit, or the channels differ
     */
    long[] shapeAfter(List<long[]> shapes) {
        long[] first = after(channels.getFirst(), shapes);
        for (Channel channel : channels) {
            long[] shape = after(channel, shapes);
            NumericType type = channel.transform().typeAfter(channel.type());
            if (!Arrays.equals(first, shape) || type != type()) {
                throw new IllegalArgumentException(
                        "the channels of %s are %s%s and %s%s"
                                .formatted(
                                        name,
                                        type().typeName(),
                                        Arrays.toString(first),
                                        type.typeName(),
                                        Arrays.toString(shape)));
            }
        }
        if (!isStack) {
            return first;
        }
        long[] stacked = new long[first.length + 1];
        stacked[0] = channels.size();
        System.arraycopy(first, 0, stacked, 1, first.length);
        return stacked;
    }

    private long[] after(Channel channel, List<long[]> shapes) {
        try {
            return channel.transform().shapeAfter(shapes.get(channel.variable()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the tensor " + name + ": " + e.getMessage(), e);
        }
    }

    /** {@return the shape of the tensor of a batch} */
    long[] batchShape(int samples, List<long[]> shapes) {
        long[] sample = shapeAfter(shapes);
        long[] shape = new long[sample.length + 1];
        shape[0] = samples;
        System.arraycopy(sample, 0, shape, 1, sample.length);
        return shape;
    }

    /**
     * {@return the shape of a sample}
     *
     * @param shape of the tensor of a batch that was read
     * @throws IllegalArgumentException if the samples differ in shape
     */
    static long[] sampleShape(long[] shape, int samples) {
        if (shape[0] != samples) {
            throw new IllegalArgumentException(
                    "the samples of a batch differ in shape: transforms need one shape");
        }
        return Arrays.copyOfRange(shape, 1, shape.length);
    }
}
