package io.zarrengine.zarr.codec.zstd;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.BytesCodecContract;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The zstd codec with libzstd, which encodes. JavaDecompressorTest covers decoding without it. */
final class ZstdCodecTest implements BytesCodecContract {
    @Override
    public BytesCodec codec() {
        return new ZstdCodec(3, true);
    }

    @BeforeEach
    void needsTheLibrary() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "only libzstd encodes");
    }

    @ParameterizedTest
    @ValueSource(ints = {-131072, -5, 0, 1, 19, 22})
    void everyLevelDecodes(int level) throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(level), 20_000);
        for (boolean checksum : new boolean[] {false, true}) {
            ZstdCodec codec = new ZstdCodec(level, checksum);
            try (Workspace workspace = new Workspace();
                    Arena arena = Arena.ofConfined()) {
                MemorySegment encoded = encode(arena, codec, sample, workspace);
                MemorySegment target = arena.allocate(sample.length);
                assertEquals(sample.length, codec.decode(encoded, target, workspace));
                assertArrayEquals(sample, target.toArray(JAVA_BYTE));
            }
        }
    }

    private static MemorySegment encode(
            Arena arena, ZstdCodec codec, byte[] sample, Workspace workspace)
            throws CodecException {
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        return encoded.asSlice(0, codec.encode(decoded, encoded, workspace));
    }

    /** Without a checksum in the frame, damage can go unnoticed. */
    @Test
    void aChecksumFindsEveryFlippedBitOfTheContent() throws CodecException {
        byte[] sample = new byte[200];
        new SplittableRandom(5).nextBytes(sample); // stored uncompressed: all bits are content
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = encode(arena, new ZstdCodec(1, true), sample, workspace);
            MemorySegment target = arena.allocate(sample.length);
            for (long at = encoded.byteSize() - 204; at < encoded.byteSize(); at++) {
                encoded.set(JAVA_BYTE, at, (byte) (encoded.get(JAVA_BYTE, at) ^ 0x10));
                CodecException e =
                        assertThrows(
                                CodecException.class,
                                () -> new ZstdCodec(1, true).decode(encoded, target, workspace));
                assertTrue(e.getMessage().startsWith("zstd: "), e::getMessage);
                encoded.set(JAVA_BYTE, at, (byte) (encoded.get(JAVA_BYTE, at) ^ 0x10));
            }
        }
    }

    @Test
    void decodesSeveralFramesAsOneChunk() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(6), 1000);
        ZstdCodec codec = new ZstdCodec(1, false);
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            byte[] frame = encode(arena, codec, sample, workspace).toArray(JAVA_BYTE);
            MemorySegment two = arena.allocate(2L * frame.length);
            MemorySegment.copy(frame, 0, two, JAVA_BYTE, 0, frame.length);
            MemorySegment.copy(frame, 0, two, JAVA_BYTE, frame.length, frame.length);
            MemorySegment target = arena.allocate(2000);
            assertEquals(2000, codec.decode(two, target, workspace));
            assertEquals(-1, target.asSlice(0, 1000).mismatch(target.asSlice(1000)));
        }
    }
}
