package io.zarrengine.zarr.codec.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.codec.DecompressorTests;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** The lzma codec (.xz), and the dictionary size that headers request. */
final class LzmaCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new LzmaCodec(LzmaCodec.Format.XZ, -1, 0, List.of());
    }

    @Override
    public int oneOf() {
        return 10;
    }

    /** The old container, which has another decoder and another bound. */
    @Nested
    final class Alone implements BytesCodecContract {
        @Override
        public BytesCodec codec() {
            return new LzmaCodec(LzmaCodec.Format.ALONE, -1, 0, List.of());
        }

        @Override
        public int oneOf() {
            return 10;
        }
    }

    /** Returns two blocks; Python writes one, other encoders write one for each thread. */
    private static byte[] twoBlocks(byte[] sample) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (XZOutputStream out = new XZOutputStream(bytes, new LZMA2Options(0))) {
            out.write(sample);
            out.endBlock();
            out.write(sample);
        }
        return bytes.toByteArray();
    }

    private byte[] decode(byte[] encoded, int targetBytes) throws CodecException {
        byte[] target = new byte[targetBytes];
        long bytes =
                ((BytesCodec.Compressor) codec())
                        .decode(
                                MemorySegment.ofArray(encoded),
                                MemorySegment.ofArray(target),
                                null);
        return Arrays.copyOf(target, (int) bytes);
    }

    /** Sets the code of the dictionary size in a header of 12 bytes without sizes. */
    private static void setDictionary(byte[] encoded, int headerAt, int code) {
        ByteBuffer header = ByteBuffer.wrap(encoded, headerAt, 12).slice();
        assertEquals(2, header.get(0), "size of the header");
        assertEquals(0x21, header.get(2), "LZMA2");
        header.order(ByteOrder.LITTLE_ENDIAN).put(4, (byte) code);
        CRC32 crc = new CRC32();
        crc.update(header.slice(0, 8));
        header.putInt(8, (int) crc.getValue());
    }

    /** Code 39 is 3 GiB, more than the library and this heap have. */
    @Test
    void limitsTheAllocationThatAHeaderRequests() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(2), 100_000);
        byte[] encoded = twoBlocks(sample);
        byte[] twice = DecompressorTests.concatenated(sample, sample);
        for (int code = 10; code < 40; code++) { // from 128 KiB on
            setDictionary(encoded, 12, code);
            assertArrayEquals(twice, decode(encoded, twice.length));
        }
        setDictionary(encoded, 12, 41);
        assertThrows(CodecException.class, () -> decode(encoded, twice.length));
    }

    /** Its place is known only after the first block. */
    @Test
    void limitsTheMemoryOfLaterBlocks() throws Exception {
        byte[] sample = new byte[100];
        byte[] encoded = twoBlocks(sample);
        int second = 12;
        do { // Blocks begin at multiples of 4; both headers are the same.
            second += 4;
        } while (Arrays.mismatch(encoded, 12, 24, encoded, second, second + 12) >= 0);
        setDictionary(encoded, second, 28); // 64 MiB, preset 9
        assertArrayEquals(new byte[200], decode(encoded, 200));
        setDictionary(encoded, second, 30);
        CodecException e = assertThrows(CodecException.class, () -> decode(encoded, 200));
        assertTrue(e.getMessage().contains("KiB of memory would be needed"), e::getMessage);
    }

    @Test
    void refusesADamagedHeader() throws Exception {
        byte[] sample = Samples.random(new SplittableRandom(3), 3000);
        byte[] encoded = twoBlocks(sample);
        for (int bit = 0; bit < 8 * 36; bit++) {
            byte[] damaged = encoded.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            CodecException e = assertThrows(CodecException.class, () -> decode(damaged, 6000));
            assertFalse(e instanceof TargetTooSmallException, e::getMessage);
        }
    }
}
