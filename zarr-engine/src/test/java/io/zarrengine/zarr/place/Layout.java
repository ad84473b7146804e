package io.zarrengine.zarr.place;

import io.zarrengine.zarr.plan.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random part of a chunk, and places for its elements in a target that do not overlap: dimensions
 * in any order, some reversed, some with room between rows. The slow twin visits the elements one
 * by one.
 *
 * @param region the part
 * @param chunkShape the shape of the chunk
 * @param elementBytes size of an element
 * @param targetBytes size of the target
 */
record Layout(Region region, List<Long> chunkShape, int elementBytes, int targetBytes) {
    /** Called for each element. */
    interface Visitor {
        void visit(int sourceByte, int targetByte);
    }

    static Layout random(SplittableRandom random, int elementBytes) {
        int rank = random.nextInt(6);
        return random(random, elementBytes, rank, rank < 4 ? 9 : 4);
    }

    static Layout random(SplittableRandom random, int elementBytes, int rank, long lengthMax) {
        boolean whole = random.nextInt(3) == 0; // Whole chunks: dimensions can be joined.
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] chunkShape = new long[rank];
        for (int d = 0; d < rank; d++) {
            long length = 1 + random.nextLong(lengthMax);
            chunkShape[d] = length;
            start[d] = whole ? 0 : random.nextLong(length);
            step[d] = whole ? 1 : 1 + random.nextLong(3);
            long most = Math.ceilDiv(length - start[d], step[d]);
            count[d] = whole ? length : 1 + random.nextLong(most);
        }
        return placed(random, start, step, count, chunkShape, elementBytes);
    }

    private static Layout placed(
            SplittableRandom random,
            long[] start,
            long[] step,
            long[] count,
            long[] chunkShape,
            int elementBytes) {
        int rank = count.length;
        List<Integer> dimensions = new ArrayList<>();
        boolean transposed = random.nextBoolean();
        for (int d = 0; d < rank; d++) {
            dimensions.add(transposed ? random.nextInt(d + 1) : 0, d); // the last dimension first
        }
        long[] stride = new long[rank];
        long offset = random.nextInt(40); // includes unaligned addresses
        long extent = elementBytes;
        boolean dense = random.nextBoolean();
        for (int d : dimensions) {
            boolean reversed = !dense && random.nextInt(4) == 0;
            long room = dense || random.nextBoolean() ? 0 : random.nextInt(20);
            stride[d] = reversed ? -(extent + room) : extent + room;
            offset += reversed ? (count[d] - 1) * (extent + room) : 0;
            extent += (count[d] - 1) * (extent + room);
        }
        int targetBytes = (int) (offset + extent + 40);
        Region region = new Region(start, step, count, stride, offset);
        List<Long> shape = Arrays.stream(chunkShape).boxed().toList();
        return new Layout(region, shape, elementBytes, targetBytes);
    }

    long[] chunkLengths() {
        return chunkShape.stream().mapToLong(length -> length).toArray();
    }

    int sourceBytes() {
        return (int) Arrays.stream(chunkLengths()).reduce(elementBytes, (a, b) -> a * b);
    }

    void forEach(Visitor visitor) {
        forEach(0, 0, region.targetOffset(), visitor);
    }

    private void forEach(int d, long element, long targetByte, Visitor visitor) {
        if (d == region.rank()) {
            visitor.visit((int) (element * elementBytes), (int) targetByte);
            return;
        }
        for (long i = 0; i < region.count(d); i++) {
            long position = region.start(d) + i * region.step(d);
            long inside = element * chunkShape.get(d) + position;
            forEach(d + 1, inside, targetByte + i * region.targetStride(d), visitor);
        }
    }
}
