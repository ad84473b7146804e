package io.zarrengine.zarr.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Parsing of frame headers: frames that libzstd made, and bytes that are no frame. */
final class ZstdFrameTest {
    /** Sizes at which a header changes its encoding of the size, and around a block. */
    private static final int[] CONTENT_BYTES = {
        100, 255, 256, 257, 65_535, 65_791, 65_792, 131_071, 131_072, 131_073, 1_000_000
    };

    @Test
    void returnsTheContentSizeAndTheEndOfAFrame() throws CodecException {
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
                return; // all zero: too short to matter, and for the longest header
            }
            ZstdFrame frame = ZstdFrame.read(room.asSlice(0, end)).orElseThrow();
            assertEquals(sample.length, frame.header().contentBytes());
            assertEquals(checksum ? 4 : 0, frame.header().checksumBytes());
            assertTrue(frame.isWhole());
            for (long bytes = Math.max(18, end - 200); bytes <= end + 1; bytes++) {
                Optional<ZstdFrame> cut = ZstdFrame.read(room.asSlice(0, bytes));
                assertEquals(bytes == end, cut.orElseThrow().isWhole());
            }
        }
    }

    /** Fails if other bytes are parsed as blocks, or if a header is read past its end. */
    @Test
    void refusesOtherBytes() {
        assertTrue(read("28b52ffd 20 07", 18).isPresent());
        assertTrue(read("502a4d18 00000000", 18).isEmpty(), "a skippable frame");
        assertTrue(read("28b52ffd 20 07", 17).isEmpty(), "too short for any header");
        assertTrue(read("", 0).isEmpty());
    }

    private static Optional<ZstdFrame> read(String hex, int length) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return ZstdFrame.read(MemorySegment.ofArray(Arrays.copyOf(bytes, length)));
    }
}
