package io.zarrengine.zarr.reference;

import java.util.Arrays;
import java.util.List;

/**
 * Bob Jenkins' {@code hashlittle}, byte by byte, stored after the data.
 *
 * @param initial the hash of preceding data
 * @param prefix bytes that are hashed first
 */
record Lookup3(int initial, List<?> prefix) implements BytesStep {
    @Override
    public byte[] encode(byte[] decoded) {
        Bytes all = new Bytes();
        for (Object value : prefix) {
            all.add(new byte[] {((Number) value).byteValue()});
        }
        return new Bytes().add(decoded).addInt(hash(all.add(decoded).toArray())).toArray();
    }

    @Override
    public byte[] decode(byte[] encoded) {
        byte[] decoded = Arrays.copyOf(encoded, encoded.length - 4);
        if (!Arrays.equals(encoded, encode(decoded))) {
            throw new IllegalArgumentException("checksum");
        }
        return decoded;
    }

    /** Computes three sums, mixed after each twelve bytes. */
    private int hash(byte[] bytes) {
        int[] sums = new int[3];
        Arrays.fill(sums, 0xdeadbeef + bytes.length + initial);
        if (bytes.length == 0) {
            return sums[2];
        }
        for (int i = 0; i < bytes.length; i++) {
            if (i > 0 && i % 12 == 0) {
                mix(sums);
            }
            sums[i % 12 / 4] += (bytes[i] & 255) << (8 * (i % 4));
        }
        int[] target = {2, 0, 1, 2, 0, 1, 2};
        int[] source = {1, 2, 0, 1, 2, 0, 1};
        int[] bits = {14, 11, 25, 16, 4, 14, 24};
        for (int i = 0; i < bits.length; i++) {
            sums[target[i]] ^= sums[source[i]];
            sums[target[i]] -= Integer.rotateLeft(sums[source[i]], bits[i]);
        }
        return sums[2];
    }

    private static void mix(int[] sums) {
        int[] bits = {4, 6, 8, 16, 19, 4};
        for (int i = 0; i < bits.length; i++) {
            int to = i % 3;
            int from = (i + 2) % 3;
            sums[to] -= sums[from];
            sums[to] ^= Integer.rotateLeft(sums[from], bits[i]);
            sums[from] += sums[(i + 1) % 3];
        }
    }
}
