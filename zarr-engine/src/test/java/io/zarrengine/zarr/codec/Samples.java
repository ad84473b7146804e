package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Samples to encode, and damage to encoded bytes. */
public final class Samples {
    private static final int[] BOUNDARY_BYTES = {
        0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 255, 4095, 4096, 4097
    };

    public static final ValueLayout.OfInt LE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Samples() {}

    /** Returns sizes at which loops and blocks begin and end. */
    public static int[] boundaryBytes() {
        return BOUNDARY_BYTES.clone();
    }

    /** Returns bytes that compress well, badly, or not at all. */
    public static byte[] random(SplittableRandom random, int bytes) {
        byte[] sample = new byte[bytes];
        switch (random.nextInt(4)) {
            case 0 -> random.nextBytes(sample);
            case 1 -> {} // all zero
            case 2 -> { // increasing numbers: high bytes repeat
                int value = random.nextInt(1 << 20);
                for (int i = 0; i < bytes; i++) {
                    value += i % 4 == 0 ? random.nextInt(100) : 0;
                    sample[i] = (byte) (value >>> (8 * (i % 4)));
                }
            }
            default -> { // copies of earlier bytes, for matches
                for (int i = 0; i < bytes; ) {
                    int run = Math.min(bytes - i, 1 + random.nextInt(70));
                    int from = i == 0 || random.nextInt(3) == 0 ? -1 : random.nextInt(i);
                    for (int end = i + run; i < end; i++) {
                        sample[i] = from < 0 ? (byte) random.nextInt(256) : sample[from++];
                    }
                }
            }
        }
        return sample;
    }

    /** Returns native memory with these bytes. */
    public static MemorySegment nativeCopy(Arena arena, byte... bytes) {
        MemorySegment segment = arena.allocate(Math.max(bytes.length, 1), 16);
        return segment.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    /** Flips a few bits, writes a few bytes, or cuts the end off. */
    public static MemorySegment damaged(SplittableRandom random, MemorySegment bytes) {
        MemorySegment damaged = bytes;
        if (random.nextInt(3) == 0) {
            damaged = bytes.asSlice(0, random.nextLong(bytes.byteSize() + 1));
        }
        for (int i = random.nextInt(4); i > 0 && damaged.byteSize() > 0; i--) {
            long within = random.nextBoolean() ? damaged.byteSize() : 1 + damaged.byteSize() / 50;
            long at = random.nextLong(within); // every other time in the headers
            byte value = damaged.get(JAVA_BYTE, at);
            boolean bit = random.nextBoolean();
            damaged.set(
                    JAVA_BYTE,
                    at,
                    bit ? (byte) (value ^ 1 << random.nextInt(8)) : (byte) random.nextInt(256));
        }
        return damaged;
    }
}
