package io.zarrengine.bindings.machinecode;

import java.util.SplittableRandom;

/** Samples that encoders compress in different ways. */
final class Sample {
    static final int BYTES_MAX = 300_000;

    private Sample() {}

    static byte[] any(SplittableRandom random) {
        int bytes = random.nextInt(random.nextInt(4) == 0 ? BYTES_MAX : 20_000);
        bytes = random.nextInt(5) == 0 ? random.nextInt(100) : bytes;
        int variety = random.nextInt(1, 256);
        return switch (random.nextInt(6)) {
            case 0 -> noise(random, bytes, variety);
            case 1 -> noise(random, bytes, 1); // one byte, repeated
            case 2 -> periodic(random, bytes, random.nextInt(1, 40), variety);
            case 3 -> copies(random, bytes, 60, 20); // short ones, from anywhere
            case 4 -> copies(random, bytes, 3000, 400);
            default -> numbers(random, bytes, variety);
        };
    }

    static byte[] noise(SplittableRandom random, int bytes, int variety) {
        byte[] sample = new byte[bytes];
        for (int k = 0; k < bytes; k++) {
            sample[k] = (byte) random.nextInt(variety);
        }
        return sample;
    }

    /** Returns bytes with repeated offsets shorter than 16. */
    static byte[] periodic(SplittableRandom random, int bytes, int period, int variety) {
        byte[] sample = noise(random, bytes, variety);
        for (int k = period; k < bytes; k++) {
            if (random.nextInt(variety) > 0) {
                sample[k] = sample[k - period];
            }
        }
        return sample;
    }

    static byte[] copies(SplittableRandom random, int bytes, int longest, int between) {
        byte[] sample = noise(random, bytes, 256);
        for (int k = 1 + random.nextInt(between); k < bytes; k += random.nextInt(between)) {
            int from = random.nextInt(Math.max(0, k - 30_000), k);
            for (int end = Math.min(bytes, k + random.nextInt(3, longest)); k < end; k++) {
                sample[k] = sample[from++];
            }
        }
        return sample;
    }

    /** Returns numbers of 16 bits, whose high bytes repeat. */
    static byte[] numbers(SplittableRandom random, int bytes, int variety) {
        byte[] sample = noise(random, bytes, variety);
        for (int k = 1; k < bytes; k += 2) {
            sample[k] = (byte) (k / 100);
        }
        return sample;
    }
}
