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

/** Tests handmade headers after c-blosc's README_CHUNK_FORMAT.rst. */
final class BloscHeaderTest {
    /** Catches a field with a wrong position or sign. */
    @Test
    void everyFieldHasItsPlace() {
        BloscHeader header = header(0xf1, 200, 1001, 500);
        assertEquals(new BloscHeader(2, 254, 0xf1, 200, 1001, 500, 700), header);
        assertEquals(7, header.format());
        assertEquals(2, header.blockOffset(bytes(0xf1, 200, 1001, 500), 1));
    }

    /** Catches a last block of a wrong size, or a missing one. */
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

    /** Catches a block that c-blosc would not make. */
    @Test
    void aBlockIsNotLargerThanAChunkOrCBloscsLimit() {
        assertEquals(100, header(0, 1, 100, 1).blockBytesMax());
        assertEquals(715_827_542, header(0, 1, Integer.MAX_VALUE, 1).blockBytesMax());
    }

    /** Catches offsets read from the content of a stored chunk. */
    @Test
    void aStoredChunkHasNoOffsets() {
        assertTrue(header(0x02, 4, 100, 1).isStored());
        assertEquals(16, header(0x02, 4, 100, 1).frontBytes());
        assertFalse(header(0xfd, 4, 100, 1).isStored());
    }

    /** Catches a wrong number of streams. */
    @ParameterizedTest
    @CsvSource({
        // flags, element size, decoded, block; streams of the first and of the last block
        "0, 4, 1024, 512, 4, 4",
        "0, 4, 1000, 512, 4, 1", // last block is shorter
        "0, 4, 1022, 511, 1, 1", // 127 bytes per stream are too few
        "0x10, 4, 1024, 512, 1, 1", // not split
        "0xef, 4, 1024, 512, 4, 4",
        "0, 16, 4096, 2048, 16, 16",
        "0, 17, 4352, 2176, 1, 1", // too many streams
        "0, 1, 1024, 512, 1, 1",
    })
    void splitsWholeBlocks(int flags, int typeBytes, int decoded, int block, int first, int last) {
        BloscHeader header = header(flags, typeBytes, decoded, block);
        assertEquals(first, header.splits(0));
        assertEquals(last, header.splits(header.blockCount() - 1));
    }

    /** Catches a wrong flag, or both shuffles at once. */
    @ParameterizedTest
    @CsvSource({
        // flags, element size; by bytes, by bits, reserved
        "0, 4, false, false, false",
        "1, 4, true, false, false",
        "4, 4, false, true, false",
        "5, 4, true, false, false",
        "1, 1, false, false, false", // nothing to shuffle
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
