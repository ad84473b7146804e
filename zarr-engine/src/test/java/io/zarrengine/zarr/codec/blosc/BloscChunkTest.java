package io.zarrengine.zarr.codec.blosc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.bindings.frames.BloscHeader;
import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.lz77.MachineCodeLz77Decompressor;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals of each wrong field in the header of a blosc chunk. */
final class BloscChunkTest {
    private static byte[] header(
            int version, int flags, int typeBytes, int decoded, int block, int encoded) {
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) version).put((byte) 1).put((byte) flags).put((byte) typeBytes);
        return header.putInt(decoded).putInt(block).putInt(encoded).array();
    }

    private static BloscChunk read(byte[] header, int bytesThere, int targetBytes)
            throws CodecException {
        byte[] chunk = Arrays.copyOf(header, bytesThere);
        return read(chunk, targetBytes);
    }

    private static BloscChunk read(byte[] chunk, int targetBytes) throws CodecException {
        MemorySegment encoded = MemorySegment.ofArray(chunk);
        return new BloscChunk(encoded, BloscChunk.checkedHeader(encoded, targetBytes));
    }

    @Test
    void readsItsHeader() throws CodecException {
        BloscChunk chunk = read(header(2, 0x91, 200, 1001, 500, 700), 800, 1001);
        assertEquals(new BloscHeader(2, 1, 0x91, 200, 1001, 500, 700), chunk.header());
        assertTrue(read(header(2, 0x93, 4, 100, 100, 116), 116, 100).header().isStored());
        assertEquals(16, read(header(2, 0, 0, 0, 0, 16), 16, 0).header().encodedBytes());
    }

    /** Bytes after the chunk would be taken for one of its streams. */
    @Test
    void refusesStreamsThatReachBeyondTheChunk() throws CodecException {
        byte[] bytes = Arrays.copyOf(header(2, 0x30, 4, 100, 100, 60), 100);
        ByteBuffer chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        chunk.putInt(16, 20).putInt(20, 36);
        BloscChunk read = read(bytes, 100);
        assertEquals(36, read.streams(0)[0].byteSize());
        chunk.putInt(20, 37);
        CodecException e = assertThrows(CodecException.class, () -> read.streams(0));
        assertEquals("blosc: a stream of 37 bytes reaches behind the chunk", e.getMessage());
        chunk.putInt(16, 57);
        e = assertThrows(CodecException.class, () -> read.streams(0));
        assertEquals("blosc: block 0 reaches behind the chunk", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # version flags type decoded block encoded | there | target | problem
                    0 0 4 100 100 50         | 50 | 100 | format version 0 is not known
                    1 0 4 100 100 50         | 50 | 100 | format version 1 is not known, expected 2
                    3 0 4 100 100 50         | 50 | 100 | format version 3 is not known
                    255 0 4 100 100 50       | 50 | 100 | format version 255 is not known
                    2 0 4 101 100 50         | 50 | 100 | 101 decoded bytes, expected at most 100
                    2 2 4 101 100 150        | 150 | 100 | 101 decoded bytes, expected at most 100
                    2 0 4 -1 100 50          | 50 | 100 | header says 4294967295 decoded bytes
                    2 0 4 100 100 51         | 50 | 100 | says 51 encoded bytes, there are 50
                    2 0 4 100 100 15         | 50 | 100 | says 15 encoded bytes, there are 50
                    2 0 4 100 100 -1         | 50 | 100 | says 4294967295 encoded bytes
                    2 2 4 100 100 115        | 115 | 100 | says 115 bytes for a stored chunk
                    2 2 4 100 100 117        | 117 | 100 | for a stored chunk, expected 116
                    2 2 4 100 0 116          | 116 | 100 | says blocks of 0 bytes, expected 1 to 100
                    2 2 4 100 101 116        | 116 | 100 | blocks of 101 bytes, expected 1 to 100
                    2 2 4 100 -1 116         | 116 | 100 | says blocks of 4294967295 bytes
                    2 2 0 100 100 116        | 116 | 100 | header says elements of 0 bytes
                    2 10 4 100 100 116       | 116 | 100 | flag 0x08, which is reserved, is set
                    2 255 4 100 100 116      | 116 | 100 | flag 0x08, which is reserved, is set
                    2 8 4 100 100 50         | 50 | 100 | flag 0x08, which is reserved, is set
                    2 0 4 100 0 50           | 50 | 100 | says blocks of 0 bytes, expected 1 to 100
                    2 0 4 100 101 50         | 50 | 100 | blocks of 101 bytes, expected 1 to 100
                    2 0 4 100 -4 50          | 50 | 100 | says blocks of 4294967292 bytes
                    2 16 1 2147483647 715827543 99 | 99 | 2147483647 | expected 1 to 715827542
                    2 0 0 100 100 50         | 50 | 100 | header says elements of 0 bytes
                    2 0 1 100 10 55          | 55 | 100 | for the offsets of 10 blocks
                    2 0 1 2147483647 1 50    | 50 | 2147483647 | offsets of 2147483647 blocks
                    2 0 3 1000 1000 50       | 50 | 1000 | 1000 bytes cannot be split into 3
                    """)
    void refuses(String fields, int there, int target, String problem) {
        int[] f = Stream.of(fields.split(" ")).mapToInt(Integer::parseInt).toArray();
        byte[] header = header(f[0], f[1], f[2], f[3], f[4], f[5]);
        CodecException e = assertThrows(CodecException.class, () -> read(header, there, target));
        assertTrue(e.getMessage().startsWith("blosc: "), e::getMessage);
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    /** c-blosc does not define the format field of a chunk that is stored uncompressed. */
    @Test
    void checksTheVersionOfTheCompressionFormat() throws CodecException {
        byte[] compressed = header(2, 0, 4, 100, 100, 50);
        byte[] stored = header(2, 0xf7, 4, 100, 1, 116);
        compressed[1] = 2;
        stored[1] = 2;
        assertTrue(read(stored, 120, 100).header().isStored());
        CodecException e = assertThrows(CodecException.class, () -> read(compressed, 50, 100));
        assertEquals(
                "blosc: version 2 of the compression format is not known, expected 1",
                e.getMessage());
    }

    @Test
    void refusesLessThanAHeader() {
        byte[] header = header(2, 0, 4, 0, 0, 16);
        for (int bytes = 0; bytes < 16; bytes++) {
            int there = bytes;
            CodecException e = assertThrows(CodecException.class, () -> read(header, there, 0));
            assertEquals("blosc: " + bytes + " bytes are too few for a header", e.getMessage());
        }
    }

    @Test
    void namesTheFormatOfTheStreams() throws CodecException {
        List<CodecContext.Factory<Decompressor>> formats =
                List.of(
                        MachineCodeLz77Decompressor.BLOSCLZ,
                        Lz4Codec.DECOMPRESSOR,
                        MachineCodeLz77Decompressor.SNAPPY,
                        ZlibCodec.DECOMPRESSOR,
                        ZstdCodec.DECOMPRESSOR);
        for (int format = 0; format < 8; format++) {
            BloscChunk chunk = read(header(2, format << 5, 4, 100, 100, 50), 50, 100);
            if (format < formats.size()) {
                assertSame(formats.get(format), chunk.decompressor());
            } else {
                assertThrows(CodecException.class, chunk::decompressor);
            }
        }
    }

    @Test
    void checksWhereABlockBegins() throws CodecException {
        byte[] chunk = Arrays.copyOf(header(2, 0, 4, 100, 50, 60), 60);
        ByteBuffer offsets = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
        BloscChunk read = read(chunk, 100);
        for (int good : new int[] {16, 24, 60}) {
            offsets.putInt(20, good);
            assertEquals(good, read.blockOffset(1));
        }
        for (int bad : new int[] {0, 15, 61, -1, Integer.MIN_VALUE}) {
            offsets.putInt(20, bad);
            assertThrows(CodecException.class, () -> read.blockOffset(1));
        }
    }
}
