package io.zarrengine.zarr.codec.checksum;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The {@code jenkins_lookup3} codec: Bob Jenkins' hash {@code hashlittle}, which HDF5 uses for its
 * metadata, after the bytes.
 *
 * @param initialValue the hash of earlier bytes
 * @param prefix bytes that are hashed before the chunk's, and not stored
 * @see <a href="https://burtleburtle.net/bob/c/lookup3.c">lookup3.c</a>
 */
public record JenkinsLookup3Codec(int initialValue, List<Byte> prefix) implements Checksum32 {
    public static final String NAME = "jenkins_lookup3";

    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int BLOCK_BYTES = 12;
    private static final int SEED = 0xdeadbeef;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean atStart() {
        return false;
    }

    @Override
    public int checksum(MemorySegment bytes) {
        if (prefix.isEmpty()) {
            return hash(bytes);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(prefix.size() + bytes.byteSize());
            for (int i = 0; i < prefix.size(); i++) {
                all.set(JAVA_BYTE, i, prefix.get(i));
            }
            MemorySegment.copy(bytes, 0, all, prefix.size(), bytes.byteSize());
            return hash(all);
        }
    }

    /** Mixes whole blocks; mixes the last one, of 1 to 12 bytes, in another way. */
    private int hash(MemorySegment bytes) {
        int a = SEED + (int) bytes.byteSize() + initialValue;
        int b = a;
        int c = a;
        if (bytes.byteSize() == 0) {
            return c;
        }
        long at = 0;
        for (; bytes.byteSize() - at > BLOCK_BYTES; at += BLOCK_BYTES) {
            a += bytes.get(LE_INT, at);
            b += bytes.get(LE_INT, at + 4);
            c += bytes.get(LE_INT, at + 8);
            a = (a - c) ^ Integer.rotateLeft(c, 4);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 6);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 8);
            b += a;
            a = (a - c) ^ Integer.rotateLeft(c, 16);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 19);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 4);
            b += a;
        }
        MemorySegment last = MemorySegment.ofArray(new byte[BLOCK_BYTES]); // zeros after the end
        MemorySegment.copy(bytes, at, last, 0, bytes.byteSize() - at);
        a += last.get(LE_INT, 0);
        b += last.get(LE_INT, 4);
        c += last.get(LE_INT, 8);
        return last(a, b, c);
    }

    private static int last(int first, int second, int third) {
        int a = first;
        int b = second;
        int c = third;
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        return (c ^ b) - Integer.rotateLeft(b, 24);
    }
}
