package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * A kernel with the Vector API, which must be there. Until its loops are compiled, it leaves most
 * of the work to plain Java (see {@link VectorWarmup}).
 */
final class VectorKernel implements ShuffleKernel {
    private final VectorWarmup[] ofElements = new VectorWarmup[Long.BYTES + 1]; // by element size
    private final VectorWarmup ofBits;
    private final PlainKernel plain;

    /** {@code warmup} creates one object for each loop; {@code plain} does the rest of the work. */
    VectorKernel(Supplier<VectorWarmup> warmup, PlainKernel plain) {
        this.plain = plain;
        for (int elementBytes = 0; elementBytes < ofElements.length; elementBytes++) {
            ofElements[elementBytes] = warmup.get();
        }
        ofBits = warmup.get();
    }

    @Override
    public boolean handles(int elementBytes, long bytes, MemorySegment target) {
        return WordByteShuffle.handles(elementBytes);
    }

    @Override
    public boolean takes(MemorySegment[] planes, ElementRows rows) {
        return rows.elements() >= VectorZip.VECTOR_BYTES;
    }

    @Override
    public long rowElementsMin(int elementBytes) {
        return VectorZip.VECTOR_BYTES;
    }

    @Override
    public void unshuffle(MemorySegment[] planes, ElementRows rows) {
        VectorWarmup warmup = ofElements[planes.length];
        if (warmup.isOver()) {
            VectorByteShuffle.unshuffle(planes, rows);
        } else if (rows.rows() > 1) {
            long some = Math.ceilDiv(rows.rows(), VectorWarmup.SHARE);
            compare(planes, rows.rows(0, some), rows.rows(some, rows.rows()));
        } else {
            unshuffle(planes, rows, warmup.share(rows.elements(), VectorZip.VECTOR_BYTES));
        }
    }

    private void unshuffle(MemorySegment[] planes, ElementRows row, long some) {
        if (some == row.elements()) { // there is no part to compare with
            plain.unshuffle(planes, row);
        } else {
            compare(
                    planes,
                    row.columns(0, some, planes.length),
                    row.columns(some, row.elements(), planes.length));
        }
    }

    /** Puts the first rows together with vectors and the others without, and compares the times. */
    private void compare(MemorySegment[] planes, ElementRows first, ElementRows others) {
        long begin = System.nanoTime();
        VectorByteShuffle.unshuffle(planes, first);
        long middle = System.nanoTime();
        plain.unshuffle(planes, others);
        long end = System.nanoTime();
        ofElements[planes.length].compare(
                middle - begin,
                first.rows() * first.elements(),
                end - middle,
                others.rows() * others.elements());
    }

    @Override
    public boolean handlesBits(MemorySegment bits, MemorySegment planes) {
        return true;
    }

    @Override
    public void bitsToPlanes(
            MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes) {
        boolean warm = ofBits.isOver();
        long done = ofBits.share(rowBytes, VectorZip.VECTOR_BYTES);
        long begin = warm ? 0 : System.nanoTime();
        VectorBitShuffle.toPlanes(bits, planes, elementBytes, rowBytes, done);
        long middle = warm ? 0 : System.nanoTime();
        plain.bitsToPlanes(done, bits, planes, elementBytes, rowBytes);
        if (!warm && 0 < done && done < rowBytes) {
            ofBits.compare(middle - begin, done, System.nanoTime() - middle, rowBytes - done);
        }
    }
}
