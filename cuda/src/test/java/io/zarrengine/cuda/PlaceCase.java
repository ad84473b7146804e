package io.zarrengine.cuda;

import io.zarrengine.cuda.PieceBatch.Element;
import io.zarrengine.cuda.PieceBatch.Source;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A random piece of a random chunk, and its target: a box inside a tensor, with its dimensions in
 * another order and steps between its elements, some of them backwards. Computes the expected
 * target element by element.
 */
final class PlaceCase implements KernelCase {
    /** The kind of source. */
    enum Kind {
        PLAIN,
        BYTE_SHUFFLED,
        BIT_SHUFFLED,
        FILL
    }

    private static final int[] SIZES = {1, 2, 4, 8, 16};
    private static final int[] ODD_SIZES = {3, 6, 12};
    private static final byte GUARD = (byte) 0xA5;
    private static final int RUN = 8; // elements that a thread takes at once, or a multiple
    private static final long BYTES_MAX = 256 << 10; // of a chunk or a target

    final Kind kind;
    final Element element;
    final Box box;
    final byte[] plain;
    final byte[] encoded;
    final long blockElements;
    final long firstInSource;
    final long firstInTarget;
    final byte[] targetBefore;

    /** Two fixed seeds, then a fresh one; {@code -Dio.zarrengine.seed=N} replays one. */
    static LongStream seeds() {
        return LongStream.of(0, 42, Long.getLong("io.zarrengine.seed", System.nanoTime()));
    }

    PlaceCase(SplittableRandom random) {
        kind = Kind.values()[random.nextInt(Kind.values().length)];
        element = element(random);
        int rank = random.nextInt(element.bytes() % 3 == 0 ? 8 : 9);
        int lengthMax = rank <= 2 ? 70 : rank <= 4 ? 9 : 4;
        boolean hasRuns = rank > 0 && random.nextInt(3) == 0; // many elements for a thread
        int[] shape;
        Layout source;
        Layout target;
        do {
            shape = IntStream.range(0, rank).map(_ -> 1 + random.nextInt(lengthMax)).toArray();
            if (hasRuns) {
                shape[rank - 1] = RUN << random.nextInt(3);
            }
            source = new Layout(random, shape, false, hasRuns);
            target = new Layout(random, shape, true, hasRuns);
        } while (Math.max(source.elements, target.elements) * element.bytes() > BYTES_MAX);
        box =
                new Box(
                        Arrays.stream(shape).asLongStream().toArray(),
                        source.strides,
                        target.strides);
        firstInSource = source.first;
        firstInTarget = target.first;
        plain = new byte[Math.toIntExact(source.elements * element.bytes())];
        random.nextBytes(plain);
        targetBefore = new byte[Math.toIntExact(target.elements * element.bytes())];
        Arrays.fill(targetBefore, GUARD);
        long block = 1 + random.nextLong(source.elements + 5);
        long ofRuns = hasRuns && random.nextInt(4) > 0 ? (block + RUN - 1) / RUN * RUN : block;
        blockElements = random.nextInt(4) == 0 ? source.elements : ofRuns; // as Zarr shuffles
        encoded = encode();
    }

    private Element element(SplittableRandom random) {
        if (kind == Kind.PLAIN && random.nextInt(5) == 0) {
            return new Element(ODD_SIZES[random.nextInt(ODD_SIZES.length)], 0);
        }
        int bytes = SIZES[random.nextInt(SIZES.length)];
        int swapBytes = 1 << random.nextInt(4);
        boolean swaps = kind != Kind.FILL && swapBytes > 1 && bytes % swapBytes == 0;
        return new Element(bytes, swaps ? swapBytes : 0);
    }

    /** Returns the stored chunk. */
    byte[] encode() {
        int blockBytes = Math.toIntExact(blockElements * element.bytes());
        return switch (kind) {
            case PLAIN, FILL -> plain;
            case BYTE_SHUFFLED ->
                    SlowShuffle.shuffled(Shuffle.BYTES, plain, element.bytes(), blockBytes);
            case BIT_SHUFFLED ->
                    SlowShuffle.shuffled(Shuffle.BITS, plain, element.bytes(), blockBytes);
        };
    }

    /** Returns the source of the piece, for a chunk at this address. */
    Source source(DeviceSlice chunk) {
        return switch (kind) {
            case PLAIN -> new Source.Plain(chunk, firstInSource);
            case BYTE_SHUFFLED ->
                    new Source.Shuffled(chunk, firstInSource, Shuffle.BYTES, blockElements);
            case BIT_SHUFFLED ->
                    new Source.Shuffled(chunk, firstInSource, Shuffle.BITS, blockElements);
            case FILL -> new Source.Fill(fillWord(0), fillWord(8));
        };
    }

    /** Returns the fill value, which is the chunk's first element. */
    private long fillWord(int from) {
        long word = 0;
        for (int i = from; i < Math.min(from + 8, element.bytes()); i++) {
            word |= Byte.toUnsignedLong(plain[i]) << (8 * (i - from));
        }
        return word;
    }

    @Override
    public byte[] encoded() {
        return encoded;
    }

    @Override
    public byte[] targetBefore() {
        return targetBefore;
    }

    /** Shuffled elements are assembled from bytes. */
    @Override
    public int sourceMultiple() {
        return kind == Kind.PLAIN ? targetMultiple() : 1;
    }

    @Override
    public int targetMultiple() {
        return Integer.lowestOneBit(element.bytes());
    }

    @Override
    public void addTo(PieceBatch batch, DeviceSlice chunk, DeviceSlice target) {
        batch.add(source(chunk), target, firstInTarget, box, element);
    }

    @Override
    public byte[] targetAfter() {
        byte[] target = targetBefore.clone();
        forEach((from, to) -> {
            for (int b = 0; b < element.bytes(); b++) {
                int at = Math.toIntExact(to * element.bytes() + swapped(b));
                target[at] = plain[Math.toIntExact(from * element.bytes() + b)];
            }
        });
        return target;
    }

    /** Receives an element's offsets in the source and in the target. */
    interface Visitor {
        void visit(long from, long to);
    }

    /** Visits the elements one by one. */
    void forEach(Visitor visitor) {
        long[] shape = box.shape();
        long count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        for (long n = 0; n < count; n++) {
            long from = kind == Kind.FILL ? 0 : firstInSource;
            long to = firstInTarget;
            long rest = n;
            for (int d = shape.length - 1; d >= 0; d--) {
                long index = rest % shape[d];
                rest /= shape[d];
                from += kind == Kind.FILL ? 0 : index * box.sourceStrides()[d];
                to += index * box.targetStrides()[d];
            }
            visitor.visit(from, to);
        }
    }

    private int swapped(int b) {
        int number = element.swapBytes();
        return number == 0 ? b : b / number * number + number - 1 - b % number;
    }

    @Override
    public String toString() {
        return kind
                + " "
                + element
                + " shape "
                + Arrays.toString(box.shape())
                + " source "
                + firstInSource
                + Arrays.toString(box.sourceStrides())
                + " target "
                + firstInTarget
                + Arrays.toString(box.targetStrides())
                + " blocks of "
                + blockElements;
    }

    /** Strides of a box inside a C-order array that is a little larger. */
    private static final class Layout {
        final long[] strides;
        final long first;
        final long elements;

        Layout(SplittableRandom random, int[] shape, boolean mayReorder, boolean hasRuns) {
            int rank = shape.length;
            strides = new long[rank];
            int[] order = IntStream.range(0, rank).toArray();
            if (mayReorder && rank > 1 && random.nextInt(hasRuns ? 9 : 3) == 0) {
                int a = random.nextInt(rank);
                int b = random.nextInt(rank);
                order[a] = b;
                order[b] = a;
            }
            long stride = 1;
            long start = 0;
            for (int i = rank - 1; i >= 0; i--) {
                int d = order[i];
                boolean isRun = hasRuns && i == rank - 1 && random.nextInt(10) > 0;
                int unit = isRun ? RUN : 1;
                int step = !isRun && random.nextInt(6) == 0 ? 2 : 1;
                int before = random.nextInt(4) == 0 ? unit * random.nextInt(3) : 0;
                int after = random.nextInt(4) == 0 ? unit * random.nextInt(3) : 0;
                boolean backwards = !isRun && random.nextInt(8) == 0;
                strides[d] = stride * step * (backwards ? -1 : 1);
                start += stride * (before + (backwards ? (shape[d] - 1L) * step : 0));
                stride *= before + (shape[d] - 1L) * step + 1 + after;
            }
            first = start;
            elements = stride;
        }
    }
}
