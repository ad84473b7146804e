package io.zarrengine.zarr.reference;

import java.util.Arrays;

/** Blocks of blosclz: literals, and matches with the preceding 8191 bytes at most. */
public record BloscLz() implements BytesStep {
    private static final int[] DISTANCES = {1, 2, 3, 4, 8, 16, 40, 300, 1000};
    private static final int LITERALS_MAX = 32;

    @Override
    public byte[] encode(byte[] decoded) {
        Bytes encoded = new Bytes();
        int literalsFrom = 0;
        int at = 0;
        while (at < decoded.length) {
            int distance = bestDistance(decoded, at);
            int length = at == 0 ? 0 : matchLength(decoded, at, distance);
            if (length < 3) { // A stream begins with a literal.
                at++;
                continue;
            }
            addLiterals(decoded, literalsFrom, at, encoded);
            addMatch(length, distance, encoded);
            at += length;
            literalsFrom = at;
        }
        addLiterals(decoded, literalsFrom, at, encoded);
        return encoded.toArray();
    }

    private static int bestDistance(byte[] bytes, int at) {
        int best = DISTANCES[0];
        for (int distance : DISTANCES) {
            if (matchLength(bytes, at, distance) > matchLength(bytes, at, best)) {
                best = distance;
            }
        }
        return best;
    }

    private static int matchLength(byte[] bytes, int at, int distance) {
        int length = 0;
        while (distance <= at
                && at + length < bytes.length
                && bytes[at + length] == bytes[at + length - distance]) {
            length++;
        }
        return length;
    }

    private static void addLiterals(byte[] bytes, int from, int to, Bytes encoded) {
        for (int at = from; at < to; at += LITERALS_MAX) {
            int count = Math.min(LITERALS_MAX, to - at);
            encoded.add(new byte[] {(byte) (count - 1)});
            encoded.add(Arrays.copyOfRange(bytes, at, at + count));
        }
    }

    private static void addMatch(int length, int distance, Bytes encoded) {
        int rest = length - 2;
        int field = Math.min(rest, 7);
        encoded.add(new byte[] {(byte) (field << 5 | (distance - 1) >> 8)});
        if (field == 7) {
            for (rest -= 7; rest >= 255; rest -= 255) {
                encoded.add(new byte[] {(byte) 255});
            }
            encoded.add(new byte[] {(byte) rest});
        }
        encoded.add(new byte[] {(byte) (distance - 1)});
    }

    @Override
    public byte[] decode(byte[] encoded) {
        byte[] decoded = new byte[1 << 18];
        int size = 0;
        int at = 0;
        while (at < encoded.length) {
            int control = encoded[at++] & (size == 0 ? 31 : 255);
            if (control < 32) {
                for (int i = 0; i <= control; i++) {
                    decoded[size++] = encoded[at++];
                }
                continue;
            }
            int length = (control >> 5) + 2;
            if (control >> 5 == 7) {
                int more;
                do {
                    more = encoded[at++] & 255;
                    length += more;
                } while (more == 255);
            }
            int distance = (((control & 31) << 8) | (encoded[at++] & 255)) + 1;
            for (int i = 0; i < length; i++, size++) {
                decoded[size] = decoded[size - distance];
            }
        }
        return Arrays.copyOf(decoded, size);
    }
}
