package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.filter.NumberBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * A transform for the type and the shape of a sample. It goes over the elements once, in blocks
 * that stay in the core's first cache. For one thread at a time.
 */
public final class Kernel {
    private final Program program;
    private final Rows rows;
    private final SourceRows exact; // loads integers of up to 64 bits; null: float64 is enough
    private final Casts casts;
    private final Optional<MachineRows> machine;
    private final long[] lengths; // of the results, with neighbouring dimensions joined
    private final double[] values = new double[NumberBlocks.LENGTH];
    private final long[] integers = new long[NumberBlocks.LENGTH];

    Kernel(
            Program program,
            Rows rows,
            SourceRows exact,
            Casts casts,
            Optional<MachineRows> machine) {
        this.program = program;
        this.rows = rows;
        this.exact = exact;
        this.casts = casts;
        this.machine = machine;
        this.lengths = program.shape();
    }

    /**
     * {@return a kernel}
     *
     * @param transform the steps
     * @param type of the elements of a sample
     * @param shape of a sample
     * @throws IllegalArgumentException if the transform does not fit them
     */
    public static Kernel of(Transform transform, NumericType type, long[] shape) {
        return new KernelCompiler(transform, type, shape).compile();
    }

    /** {@return what this computes} */
    public Program program() {
        return program;
    }

    /** {@return the number of rows of a sample, which can be computed one by one} */
    public long rows() {
        return Arrays.stream(lengths, 0, lengths.length - 1).reduce(1, (a, b) -> a * b);
    }

    /** {@return the number of elements in a row} */
    public long rowLength() {
        return lengths[lengths.length - 1];
    }

    /**
     * Computes some rows of a sample.
     *
     * @param source the elements that were read, in native byte order
     * @param base index of the sample's first element
     * @param target receives the result, in C order and native byte order
     * @param to index of the first element of the result of the sample
     * @param begin the first row
     * @param end the row after the last one
     */
    public void run(
            MemorySegment source, long base, MemorySegment target, long to, long begin, long end) {
        if (machine.isPresent() && MachineRows.mayUse(source, target)) {
            machine.get().run(source, base, target, to, begin, end);
            return;
        }
        long[] position = new long[lengths.length];
        for (long row = begin; row < end; row++) {
            locate(row, position);
            long at = to + row * rowLength();
            for (long from = 0; from < rowLength(); from += NumberBlocks.LENGTH) {
                int count = (int) Math.min(NumberBlocks.LENGTH, rowLength() - from);
                if (exact == null) {
                    rows.load(source, base, position, from, values, count);
                    casts.store(values, count, target, at + from);
                } else {
                    long index = base + exact.index(position, from);
                    long stride = exact.lastStride();
                    Elements.load(exact.type(), source, index, stride, integers, count);
                    casts.store(integers, exact.type(), count, target, at + from);
                }
            }
        }
    }

    private void locate(long row, long[] position) {
        long rest = row;
        for (int d = lengths.length - 2; d >= 0; d--) {
            position[d] = rest % lengths[d];
            rest /= lengths[d];
        }
    }
}
