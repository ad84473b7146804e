package io.zarrengine.cuda;

/** Shuffles in the obvious way, bit by bit. */
final class SlowShuffle {
    private SlowShuffle() {}

    /** Shuffles each block of {@code blockBytes} on its own; the last one may be shorter. */
    static byte[] shuffled(Shuffle shuffle, byte[] plain, int elementBytes, int blockBytes) {
        byte[] shuffled = new byte[plain.length];
        for (int from = 0; from < plain.length; from += blockBytes) {
            int bytes = Math.min(blockBytes, plain.length - from);
            block(shuffle, plain, shuffled, from, bytes, elementBytes);
        }
        return shuffled;
    }

    private static void block(
            Shuffle shuffle, byte[] plain, byte[] shuffled, int from, int bytes, int elementBytes) {
        System.arraycopy(plain, from, shuffled, from, bytes);
        int elements = bytes / elementBytes;
        if (shuffle == Shuffle.BYTES) {
            for (int at = 0; at < elements * elementBytes; at++) {
                int target = at % elementBytes * elements + at / elementBytes;
                shuffled[from + target] = plain[from + at];
            }
        } else if (elements % 8 == 0) {
            for (int bit = 0; bit < elements * elementBytes * 8; bit++) {
                int element = bit / (elementBytes * 8);
                int row = bit % (elementBytes * 8);
                boolean value = (plain[from + bit / 8] >> (bit % 8) & 1) != 0;
                set(shuffled, (from * 8) + row * elements + element, value);
            }
        }
    }

    private static void set(byte[] bytes, int bit, boolean value) {
        int mask = 1 << (bit % 8);
        bytes[bit / 8] = (byte) (value ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask);
    }
}
