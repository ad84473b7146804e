package io.zarrengine.uring.plan;

import java.util.Arrays;

/**
 * Sorts ranges by file and offset: a stable radix sort that moves key and number together, and uses
 * only the bits in which the keys differ.
 *
 * <p>Its arrays are kept for the next sort. Owner: a {@link ReadPlan}.
 */
final class RangeOrder {
    /** 2048 counters fit in the L1 cache. */
    private static final int DIGIT_BITS = 11;

    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;

    /** Below this, counters cost more than comparisons. */
    private static final int INSERTION_MAX = 48;

    private long[] keys = {};
    private long[] keysMoved = {};
    private int[] numbers = {};
    private int[] numbersMoved = {};
    private int[] begins = {};

    /**
     * Sorts the ranges. The result belongs to this object and is valid until the next call.
     *
     * @param files file numbers, not negative
     * @param offsets offsets in the files, not negative
     * @param count number of ranges
     * @return the numbers of the ranges in order; the array may be longer than {@code count}
     */
    int[] sort(int[] files, long[] offsets, int count) {
        grow(count);
        int fileMax = 0;
        long offsetMax = 0;
        for (int i = 0; i < count; i++) {
            fileMax = Math.max(fileMax, files[i]);
            offsetMax = Math.max(offsetMax, offsets[i]);
            numbers[i] = i;
        }
        int offsetBits = Long.SIZE - Long.numberOfLeadingZeros(offsetMax);
        if (Long.numberOfLeadingZeros(fileMax) > offsetBits) { // Both fit in 63 bits.
            for (int i = 0; i < count; i++) {
                keys[i] = (long) files[i] << offsetBits | offsets[i];
            }
            sortByKey(count);
        } else {
            System.arraycopy(offsets, 0, keys, 0, count);
            sortByKey(count);
            for (int i = 0; i < count; i++) {
                keys[i] = files[numbers[i]];
            }
            sortByKey(count); // Stable: within a file, offsets stay in order.
        }
        return numbers;
    }

    private void grow(int count) {
        if (numbers.length < count) {
            int length = Math.max(count, 2 * numbers.length);
            keys = new long[length];
            keysMoved = new long[length];
            numbers = new int[length];
            numbersMoved = new int[length];
        }
    }

    private void sortByKey(int count) {
        long differing = 0;
        boolean sorted = true;
        for (int i = 1; i < count; i++) {
            differing |= keys[i] ^ keys[i - 1];
            sorted &= keys[i - 1] <= keys[i];
        }
        if (sorted) {
            return;
        }
        if (count <= INSERTION_MAX) {
            sortByInsertion(count);
            return;
        }
        if (begins.length == 0) {
            begins = new int[1 << DIGIT_BITS];
        }
        int end = Long.SIZE - Long.numberOfLeadingZeros(differing);
        int shift = Long.numberOfTrailingZeros(differing);
        while (shift < end) {
            sortByDigit(count, shift);
            shift += DIGIT_BITS;
            if (shift < end) {
                shift += Long.numberOfTrailingZeros(differing >>> shift);
            }
        }
    }

    private void sortByInsertion(int count) {
        for (int i = 1; i < count; i++) {
            long key = keys[i];
            int number = numbers[i];
            int at = i;
            while (at > 0 && keys[at - 1] > key) {
                keys[at] = keys[at - 1];
                numbers[at] = numbers[at - 1];
                at--;
            }
            keys[at] = key;
            numbers[at] = number;
        }
    }

    private void sortByDigit(int count, int shift) {
        Arrays.fill(begins, 0);
        for (int i = 0; i < count; i++) {
            begins[(int) (keys[i] >>> shift) & DIGIT_MASK]++;
        }
        int begin = 0;
        for (int digit = 0; digit < begins.length; digit++) {
            int digitCount = begins[digit];
            begins[digit] = begin;
            begin += digitCount;
        }
        for (int i = 0; i < count; i++) {
            long key = keys[i];
            int at = begins[(int) (key >>> shift) & DIGIT_MASK]++;
            keysMoved[at] = key;
            numbersMoved[at] = numbers[i];
        }
        swap();
    }

    private void swap() {
        long[] keysBefore = keys;
        keys = keysMoved;
        keysMoved = keysBefore;
        int[] numbersBefore = numbers;
        numbers = numbersMoved;
        numbersMoved = numbersBefore;
    }
}
