package io.zarrengine.zarr.execute;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The pieces of a shard that have to be read, in the order of the file, and the stretches that they
 * are read in: neighbours are read together.
 *
 * <p>Flat arrays. Stretch {@code s} holds the pieces {@code begin(s)} to {@code end(s)}. Units:
 * bytes from the start of the shard.
 */
final class Stretches {
    /** Bytes that may lie unused between two pieces: reading them costs less than another read. */
    private static final long GAP_BYTES_MAX = 4096;

    private final int[] pieces;
    private final long[] pieceOffsets;
    private final long[] pieceBytes;
    private final int[] begins; // (count + 1)
    private final long[] offsets; // (count)
    private final long[] ends; // (count)
    private final int count;

    private Stretches(Builder builder, int[] order) {
        int n = order.length;
        pieces = new int[n];
        pieceOffsets = new long[n];
        pieceBytes = new long[n];
        begins = new int[n + 1];
        offsets = new long[n];
        ends = new long[n];
        int stretch = -1;
        for (int i = 0; i < n; i++) {
            int from = order[i];
            pieces[i] = builder.pieces[from];
            pieceOffsets[i] = builder.offsets[from];
            pieceBytes[i] = builder.bytes[from];
            long end = pieceOffsets[i] + pieceBytes[i];
            boolean joins =
                    stretch >= 0
                            && pieceOffsets[i] - ends[stretch] <= GAP_BYTES_MAX
                            && Math.max(end, ends[stretch]) - offsets[stretch]
                                    <= builder.fusedBytesMax;
            if (!joins) {
                stretch++;
                begins[stretch] = i;
                offsets[stretch] = pieceOffsets[i];
                ends[stretch] = end;
            }
            ends[stretch] = Math.max(end, ends[stretch]);
        }
        count = stretch + 1;
        begins[count] = n;
    }

    /** {@return how many stretches there are} */
    int count() {
        return count;
    }

    /** {@return where a stretch begins} */
    long offset(int stretch) {
        return offsets[stretch];
    }

    /** {@return the length of a stretch} */
    long bytes(int stretch) {
        return ends[stretch] - offsets[stretch];
    }

    /** {@return the first piece entry of a stretch} */
    int begin(int stretch) {
        return begins[stretch];
    }

    /** {@return behind the last piece entry of a stretch} */
    int end(int stretch) {
        return begins[stretch + 1];
    }

    /** {@return the piece of entry {@code i}} */
    int piece(int i) {
        return pieces[i];
    }

    /** {@return where the piece of entry {@code i} begins} */
    long pieceOffset(int i) {
        return pieceOffsets[i];
    }

    /** {@return the encoded size of the piece of entry {@code i}} */
    long pieceBytes(int i) {
        return pieceBytes[i];
    }

    /** Collects pieces in any order. */
    static final class Builder {
        private final long fusedBytesMax;
        private final int[] pieces;
        private final long[] offsets;
        private final long[] bytes;
        private int size;
        private boolean sorted = true;

        /** {@code fusedBytesMax}: the longest stretch of several pieces; 0 keeps each apart. */
        Builder(int piecesMax, long fusedBytesMax) {
            this.fusedBytesMax = fusedBytesMax;
            this.pieces = new int[piecesMax];
            this.offsets = new long[piecesMax];
            this.bytes = new long[piecesMax];
        }

        void add(int piece, long offset, long pieceBytes) {
            sorted &= size == 0 || offsets[size - 1] <= offset;
            pieces[size] = piece;
            offsets[size] = offset;
            bytes[size++] = pieceBytes;
        }

        Stretches build() {
            return new Stretches(this, sorted ? identity(size) : sortedByOffset());
        }

        private static int[] identity(int size) {
            int[] order = new int[size];
            Arrays.setAll(order, i -> i);
            return order;
        }

        /** Offset and number in one long sort fast; offsets that leave no room sort slowly. */
        private int[] sortedByOffset() {
            int numberBits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
            long offsetMax = Arrays.stream(offsets, 0, size).max().orElse(0);
            if (Long.numberOfLeadingZeros(offsetMax) <= numberBits) {
                return Arrays.stream(identity(size))
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> offsets[i]))
                        .mapToInt(i -> i)
                        .toArray();
            }
            long[] keys = new long[size];
            Arrays.setAll(keys, i -> offsets[i] << numberBits | i);
            Arrays.sort(keys);
            int[] order = new int[size];
            Arrays.setAll(order, i -> (int) (keys[i] & (1L << numberBits) - 1));
            return order;
        }
    }
}
