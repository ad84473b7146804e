package io.zarrengine.zarr.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.ShardIndexCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Indexes as they are stored, good ones and damaged ones. */
final class ShardIndexTest {
    private static final long MISSING = -1;

    private static byte[] encode(ShardIndexCodec codec, long... rows) {
        ByteBuffer bytes = ByteBuffer.allocate((int) codec.encodedBytes(rows.length / 2));
        bytes.order(codec.byteOrder()).asLongBuffer().put(rows);
        if (codec.checksum()) {
            CRC32C crc = new CRC32C();
            crc.update(bytes.array(), 0, 8 * rows.length);
            bytes.order(ByteOrder.LITTLE_ENDIAN); // The checksum is, whatever the numbers are.
            bytes.putInt(8 * rows.length, (int) crc.getValue());
        }
        return bytes.array();
    }

    private static ShardIndex decode(ShardIndexCodec codec, byte[] encoded, long shardBytes)
            throws CodecException {
        return ShardIndex.decode(codec, MemorySegment.ofArray(encoded), shardBytes);
    }

    private static ShardIndexCodec codec(boolean bigEndian, boolean checksum) {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new ShardIndexCodec(false, order, checksum);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void readsWhatWasWritten(boolean bigEndian, boolean checksum) throws CodecException {
        SplittableRandom random = new SplittableRandom(1);
        ShardIndexCodec codec = codec(bigEndian, checksum);
        for (int chunks : new int[] {1, 2, 17, 1000}) {
            long shardBytes = Long.MAX_VALUE - random.nextInt(5);
            long[] rows = new long[2 * chunks];
            for (int i = 0; i < rows.length; i += 2) {
                boolean missing = random.nextInt(3) == 0;
                rows[i] = missing ? MISSING : random.nextLong(shardBytes);
                rows[i + 1] = missing ? MISSING : random.nextLong(shardBytes - rows[i] + 1);
            }
            ShardIndex index = decode(codec, encode(codec, rows), shardBytes);
            assertEquals(16L * chunks, index.byteSize());
            for (int chunk = 0; chunk < chunks; chunk++) {
                boolean present = rows[2 * chunk] != MISSING;
                assertEquals(present, index.isPresent(chunk));
                if (present) {
                    assertEquals(rows[2 * chunk], index.offset(chunk));
                    assertEquals(rows[2 * chunk + 1], index.size(chunk));
                }
            }
        }
    }

    @Test
    void doesNotKeepTheMemoryItWasReadFrom() throws CodecException {
        ShardIndexCodec codec = codec(false, false);
        byte[] encoded = encode(codec, 3, 4, MISSING, MISSING);
        ShardIndex index = decode(codec, encoded, 10);
        Arrays.fill(encoded, (byte) 1);
        assertEquals(3, index.offset(0));
        assertFalse(index.isPresent(1));
    }

    /** The last byte of the shard is inside, the next one is not; numbers are unsigned. */
    @ParameterizedTest
    @CsvSource({
        "0, 100, true",
        "100, 0, true",
        "99, 1, true",
        "0, 0, true",
        "0, 101, false",
        "100, 1, false",
        "101, 0, false",
        "1, 100, false",
        "-1, 5, false",
        "5, -1, false",
        "-1, -2, false",
        "-2, -1, false",
        "-1, 0, false",
        "-9223372036854775808, 0, false",
        "0, -9223372036854775808, false",
        "9223372036854775807, 9223372036854775807, false",
        "-9223372036854775808, -9223372036854775808, false",
        "-50, 100, false",
    })
    void everyRowLiesInsideTheShard(long offset, long size, boolean inside) throws CodecException {
        ShardIndexCodec codec = codec(true, true);
        byte[] encoded = encode(codec, MISSING, MISSING, offset, size, 0, 1);
        if (inside) {
            assertTrue(decode(codec, encoded, 100).isPresent(1));
        } else {
            CodecException e =
                    assertThrows(CodecException.class, () -> decode(codec, encoded, 100));
            assertEquals(
                    "sharding_indexed: inner chunk 1 at offset "
                            + Long.toUnsignedString(offset)
                            + ", size "
                            + Long.toUnsignedString(size)
                            + ", reaches outside a shard of 100 bytes",
                    e.getMessage());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void theChecksumFindsEveryFlippedBit(long seed) throws CodecException {
        ShardIndexCodec codec = codec(false, true);
        long[] rows = new SplittableRandom(seed).longs(6, 0, 1000).toArray();
        byte[] encoded = encode(codec, rows);
        for (int bit = 0; bit < 8 * encoded.length; bit++) {
            byte[] damaged = encoded.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            CodecException e =
                    assertThrows(CodecException.class, () -> decode(codec, damaged, 2000));
            assertTrue(e.getMessage().startsWith("crc32c: checksum is "), e::getMessage);
        }
        assertEquals(rows[0], decode(codec, encoded, 2000).offset(0));
    }

    /** The other byte order makes small numbers huge: refused, not believed. */
    @Test
    void theWrongByteOrderIsRefused() {
        byte[] encoded = encode(codec(true, false), 3, 4);
        assertThrows(CodecException.class, () -> decode(codec(false, false), encoded, 1 << 20));
    }
}
