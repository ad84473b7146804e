package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Frames that libzstd made, and headers written by hand. */
final class ZstdFrameTest {
    /** Sizes at which a header says them in another way, and around a block. */
    private static final int[] CONTENT_BYTES = {
        100, 255, 256, 257, 65_535, 65_791, 65_792, 131_071, 131_072, 131_073, 1_000_000
    };

    @Test
    void saysWhatAFrameDecodesToAndWhereItEnds() throws CodecException {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "only libzstd encodes");
        SplittableRandom random = new SplittableRandom(8);
        for (int bytes : CONTENT_BYTES) {
            for (int round = 0; round < 8; round++) {
                checkFrame(Samples.random(random, bytes), round % 2 == 0);
            }
        }
    }

    private static void checkFrame(byte[] sample, boolean checksum) throws CodecException {
        ZstdCodec codec = new ZstdCodec(1, checksum);
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(codec.encodedBytesMax(sample.length) + 1);
            MemorySegment decoded = Samples.nativeCopy(arena, sample);
            long end = codec.encode(decoded, room, workspace);
            if (end < 18) {
                return; // All zero: too short to be of interest, and for the longest header.
            }
            ZstdFrame frame = ZstdFrame.read(room.asSlice(0, end)).orElseThrow();
            assertEquals(sample.length, frame.contentBytes());
            assertEquals(checksum, frame.hasChecksum());
            assertTrue(frame.isWhole());
            for (long bytes = Math.max(18, end - 200); bytes <= end + 1; bytes++) {
                Optional<ZstdFrame> cut = ZstdFrame.read(room.asSlice(0, bytes));
                assertEquals(bytes == end, cut.orElseThrow().isWhole());
            }
        }
    }

    /** Single_Segment_flag, window, dictionary and Frame_Content_Size in all their sizes. */
    @ParameterizedTest
    @CsvSource({
        "28b52ffd 00 58, 2097152, -1, 6",
        "28b52ffd 20 07, 7, 7, 6",
        "28b52ffd 40 05 0100, 1664, 257, 8",
        "28b52ffd 60 ffff, 65791, 65791, 7",
        "28b52ffd 80 a9 01020304, 2415919104, 67305985, 10",
        "28b52ffd a3 aaaaaaaa 01000000, 1, 1, 13",
        "28b52ffd c1 ff aa 0000000001000000, 4123168604160, 4294967296, 15",
        "28b52ffd e2 aaaa 0700000000000000, 7, 7, 15",
    })
    void readsEveryKindOfHeader(String hex, long windowBytes, long contentBytes, int headerBytes) {
        ZstdFrame frame = read(hex).orElseThrow();
        assertEquals(windowBytes, frame.windowBytes());
        assertEquals(contentBytes, frame.contentBytes());
        assertEquals(headerBytes, frame.headerBytes());
        assertFalse(frame.hasChecksum());
    }

    private static Optional<ZstdFrame> read(String hex) {
        byte[] header = HexFormat.of().parseHex(hex.replace(" ", ""));
        MemorySegment bytes = MemorySegment.ofArray(new byte[30]);
        MemorySegment.copy(header, 0, bytes, JAVA_BYTE, 0, header.length);
        return ZstdFrame.read(bytes);
    }

    @Test
    void othersAreNoFrames() {
        assertTrue(read("502a4d18 00000000").isEmpty(), "a skippable frame");
        assertTrue(read("27b52ffd 20 07").isEmpty(), "zstd before 0.8");
        assertTrue(ZstdFrame.read(MemorySegment.ofArray(new byte[17])).isEmpty(), "too short");
    }
}
