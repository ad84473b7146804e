package io.zarrengine.bindings.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers written by hand after c-blosc's README_CHUNK_FORMAT.rst. */
final class BloscHeaderTest {
    /** A field that is read from another place, or with a sign. */
    @Test
    void everyFieldHasItsPlace() {
        BloscHeader header = header(0xf1, 200, 1001, 500);
        assertEquals(new BloscHeader(2, 254, 0xf1, 200, 1001, 500, 700), header);
        assertEquals(7, header.format());
        assertEquals(2, header.blockOffset(bytes(0xf1, 200, 1001, 500), 1));
    }

    /** A last block of another size, or one too few. */
    @Test
    void theLastBlockMayBeShorter() {
        BloscHeader header = header(0, 4, 1001, 500);
        assertEquals(3, header.blockCount());
        assertEquals(500, header.blockBytes(1));
        assertEquals(1, header.blockBytes(2));
        assertEquals(28, header.frontBytes());
        assertEquals(2, header(0, 4, 1000, 500).blockCount());
        BloscHeader largest = header(0, 1, Integer.MAX_VALUE, 1);
        assertEquals(Integer.MAX_VALUE, largest.blockCount());
        assertEquals(16 + 4L * Integer.MAX_VALUE, largest.frontBytes());
    }

    /** A block that c-blosc would not make. */
    @Test
    void aBlockIsNotLargerThanAChunkOrCBloscsLimit() {
        assertEquals(100, header(0, 1, 100, 1).blockBytesMax());
        assertEquals(715_827_542, header(0, 1, Integer.MAX_VALUE, 1).blockBytesMax());
    }

    /** Offsets that are looked for in the content of a chunk that is stored as it is. */
    @Test
    void aStoredChunkHasNoOffsets() {
        assertTrue(header(0x02, 4, 100, 1).isStored());
        assertEquals(16, header(0x02, 4, 100, 1).frontBytes());
        assertFalse(header(0xfd, 4, 100, 1).isStored());
    }

    /** Streams of another number than c-blosc makes. */
    @ParameterizedTest
    @CsvSource({
        // flags, element size, decoded, block; streams of the first and of the last block
        "0, 4, 1024, 512, 4, 4",
        "0, 4, 1000, 512, 4, 1", // The last block is shorter.
        "0, 4, 1022, 511, 1, 1", // 127 bytes a stream are too few.
        "0x10, 4, 1024, 512, 1, 1", // Not split.
        "0xef, 4, 1024, 512, 4, 4",
        "0, 16, 4096, 2048, 16, 16",
        "0, 17, 4352, 2176, 1, 1", // Too many streams.
        "0, 1, 1024, 512, 1, 1",
    })
    void splitsWholeBlocks(int flags, int typeBytes, int decoded, int block, int first, int last) {
        BloscHeader header = header(flags, typeBytes, decoded, block);
        assertEquals(first, header.splits(0));
        assertEquals(last, header.splits(header.blockCount() - 1));
    }

    /** A flag that is taken for another, or both shuffles at once. */
    @ParameterizedTest
    @CsvSource({
        // flags, element size; by bytes, by bits, reserved
        "0, 4, false, false, false",
        "1, 4, true, false, false",
        "4, 4, false, true, false",
        "5, 4, true, false, false",
        "1, 1, false, false, false", // Nothing to shuffle.
        "5, 1, false, false, false",
        "4, 1, false, true, false",
        "8, 4, false, false, true",
        "0xf2, 4, false, false, false",
    })
    void isShuffledInOneWay(
            int flags, int typeBytes, boolean bytes, boolean bits, boolean hasReserved) {
        BloscHeader header = header(flags, typeBytes, 100, 100);
        assertEquals(bytes, header.isByteShuffled());
        assertEquals(bits, header.isBitShuffled());
        assertEquals(hasReserved, header.hasReservedFlag());
    }

    private static BloscHeader header(int flags, int typeBytes, int decoded, int block) {
        return BloscHeader.read(bytes(flags, typeBytes, decoded, block));
    }

    private static FrameBytes bytes(int flags, int typeBytes, int decoded, int block) {
        ByteBuffer header = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 2).put((byte) 254).put((byte) flags).put((byte) typeBytes);
        header.putInt(decoded).putInt(block).putInt(700).putInt(1).putInt(2);
        return new StableBytes(MemorySegment.ofArray(header.array()));
    }
}
