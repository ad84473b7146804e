package io.zarrengine.zarr.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
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

/** Decoding of stored indexes, valid and damaged. */
final class ShardIndexTest {
    private static final long MISSING = -1;

    private static byte[] encode(ShardIndexCodec codec, long... rows) {
        ByteBuffer bytes = ByteBuffer.allocate((int) codec.encodedBytes(rows.length / 2));
        bytes.order(codec.byteOrder()).asLongBuffer().put(rows);
        if (codec.checksum()) {
            CRC32C crc = new CRC32C();
            crc.update(bytes.array(), 0, 8 * rows.length);
            bytes.order(ByteOrder.LITTLE_ENDIAN); // always the checksum's order
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
        ShardIndex index = decode(codec, encoded, 50);
        Arrays.fill(encoded, (byte) 1);
        assertEquals(3, index.offset(0));
        assertFalse(index.isPresent(1));
    }

    /** The last byte of the shard is inside, the next one is not; numbers are unsigned. */
    @ParameterizedTest
    @CsvSource({
        "99, 1, true",
        "0, 100, true",
        "100, 0, true",
        "152, 0, true",
        "0, 0, true",
        "0, 153, false",
        "152, 1, false",
        "153, 0, false",
        "1, 152, false",
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
            assertTrue(decode(codec, encoded, 152).isPresent(1));
        } else {
            CodecException e =
                    assertThrows(CodecException.class, () -> decode(codec, encoded, 152));
            assertEquals(
                    "sharding_indexed: inner chunk 1 at offset "
                            + Long.toUnsignedString(offset)
                            + ", size "
                            + Long.toUnsignedString(size)
                            + ", reaches outside a shard of 152 bytes",
                    e.getMessage());
        }
    }

    /** Chunks lie before an index at the end, and after one at the start; it takes 52 bytes. */
    @ParameterizedTest
    @CsvSource({
        "false, 99, 1, true",
        "false, 99, 2, false",
        "false, 0, 101, false",
        "false, 0, 152, false",
        "false, 100, 1, false",
        "false, 100, 52, false",
        "false, 151, 1, false",
        "false, 110, 0, true",
        "true, 52, 1, true",
        "true, 52, 100, true",
        "true, 51, 1, false",
        "true, 51, 101, false",
        "true, 0, 1, false",
        "true, 0, 152, false",
        "true, 20, 0, true",
    })
    void noRowReachesIntoTheIndex(boolean atStart, long offset, long size, boolean valid)
            throws CodecException {
        ShardIndexCodec codec = new ShardIndexCodec(atStart, ByteOrder.LITTLE_ENDIAN, true);
        byte[] encoded = encode(codec, MISSING, MISSING, 60, 20, offset, size);
        if (valid) {
            assertEquals(size, decode(codec, encoded, 152).size(2));
        } else {
            CodecException e =
                    assertThrows(CodecException.class, () -> decode(codec, encoded, 152));
            String range = atStart ? "from 0 to 52" : "from 100 to 152";
            assertEquals(
                    "sharding_indexed: inner chunk 2 at offset "
                            + offset
                            + ", size "
                            + size
                            + ", overlaps the shard's index, which takes the bytes "
                            + range,
                    e.getMessage());
        }
    }

    /** Some writers store equal chunks once. */
    @Test
    void acceptsOverlappingRows() throws CodecException {
        ShardIndexCodec codec = codec(false, false);
        ShardIndex index = decode(codec, encode(codec, 0, 50, 0, 50, 20, 30), 98);
        assertEquals(0, index.offset(1));
        assertEquals(30, index.size(2));
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
                    assertThrows(CodecException.class, () -> decode(codec, damaged, 3000));
            assertTrue(e.getMessage().startsWith("crc32c: checksum is "), e::getMessage);
        }
        assertEquals(rows[0], decode(codec, encoded, 3000).offset(0));
    }

    /** The wrong byte order makes small numbers huge, so the index is refused. */
    @Test
    void refusesTheWrongByteOrder() {
        byte[] encoded = encode(codec(true, false), 3, 4);
        assertThrows(CodecException.class, () -> decode(codec(false, false), encoded, 1 << 20));
    }
}
