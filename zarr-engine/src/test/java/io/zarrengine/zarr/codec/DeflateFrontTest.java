package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The front of a gzip or zlib chunk: decoded alone if checksums are not verified, else with all of
 * the chunk. The slow twin is the sample.
 */
final class DeflateFrontTest {
    private final Arena arena = Arena.ofConfined();
    private final Workspace verifying = new Workspace();
    private final Workspace trusting = new Workspace(false);

    static Stream<BytesCodec.PartialDecoder> codecs() {
        return Stream.of(new GzipCodec(6), new ZlibCodec(6));
    }

    @AfterEach
    void close() {
        verifying.close();
        trusting.close();
        arena.close();
    }

    private MemorySegment encode(BytesCodec codec, byte... sample) throws CodecException {
        MemorySegment encoded = arena.allocate(codec.encodedBytesMax(sample.length));
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        return encoded.asSlice(0, codec.encode(decoded, encoded, verifying));
    }

    private long assertDecodes(
            BytesCodec.PartialDecoder codec,
            MemorySegment encoded,
            byte[] sample,
            int from,
            int to,
            Workspace with)
            throws CodecException {
        GuardedMemory target = new GuardedMemory(arena, sample.length);
        long bytes = codec.decodeRange(encoded, target.segment(), from, to, with);
        assertArrayEquals(
                Arrays.copyOfRange(sample, from, to),
                target.segment().asSlice(from, to - from).toArray(JAVA_BYTE));
        target.assertIntact();
        return bytes;
    }

    private void assertRefused(
            BytesCodec.PartialDecoder codec, MemorySegment encoded, long bytes, Workspace with) {
        GuardedMemory target = new GuardedMemory(arena, (int) bytes);
        assertThrows(
                CodecException.class,
                () -> codec.decodeRange(encoded, target.segment(), 0, 1, with));
        target.assertIntact();
    }

    private static void flip(MemorySegment bytes, long at) {
        bytes.set(JAVA_BYTE, at, (byte) ~bytes.get(JAVA_BYTE, at));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void decodesWhatIsWantedAndNoMore(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 60; round++) {
            byte[] sample = Samples.random(random, 1 + random.nextInt(100_000));
            int from = random.nextInt(sample.length);
            int to = from + 1 + random.nextInt(sample.length - from);
            for (BytesCodec.PartialDecoder codec : codecs().toList()) {
                MemorySegment encoded = encode(codec, sample);
                assertEquals(to, assertDecodes(codec, encoded, sample, from, to, trusting));
                assertEquals(
                        sample.length, assertDecodes(codec, encoded, sample, from, to, verifying));
            }
        }
    }

    /** Damage in the back half is what the checksum is there to find. */
    @ParameterizedTest
    @MethodSource("codecs")
    void damageBehindWhatIsWantedIsFoundByTheChecksumAlone(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = new byte[50_000];
        new SplittableRandom(1).nextBytes(sample); // Stored as it is.
        MemorySegment encoded = encode(codec, sample);
        flip(encoded, 40_000);
        assertDecodes(codec, encoded, sample, 10, 20_000, trusting);
        assertRefused(codec, encoded, sample.length, verifying);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void whoDoesNotVerifyTakesAWrongChecksum(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(2), 5000);
        MemorySegment encoded = encode(codec, sample);
        flip(encoded, encoded.byteSize() - 5 + (codec instanceof ZlibCodec ? 4 : 0));
        MemorySegment target = arena.allocate(sample.length);
        assertThrows(CodecException.class, () -> codec.decode(encoded, target, verifying));
        assertEquals(sample.length, codec.decode(encoded, target, trusting));
        assertArrayEquals(sample, target.toArray(JAVA_BYTE));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void refusesAStreamThatEndsBeforeWhatIsWanted(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(3), 5000);
        MemorySegment encoded = encode(codec, sample);
        for (long bytes : new long[] {0, 1, 2, 9, 10, 17, encoded.byteSize() / 2}) {
            GuardedMemory target = new GuardedMemory(arena, sample.length);
            MemorySegment cut = encoded.asSlice(0, bytes);
            assertThrows(
                    CodecException.class,
                    () -> codec.decodeRange(cut, target.segment(), 0, sample.length, trusting));
            target.assertIntact();
        }
    }

    /** Its length is in its last bytes, so a part of it is refused as all of it would be. */
    @Test
    void refusesAGzipChunkOfAnotherSize() throws CodecException {
        BytesCodec.PartialDecoder gzip = new GzipCodec(6);
        byte[] sample = Samples.random(new SplittableRandom(4), 5000);
        MemorySegment encoded = encode(gzip, sample);
        assertRefused(gzip, encoded, sample.length - 1, trusting);
        assertRefused(gzip, encoded, sample.length + 1, trusting);
        assertRefused(gzip, encoded.asSlice(0, encoded.byteSize() - 1), sample.length, trusting);
    }

    /** The length at the end is the last member's. */
    @Test
    void severalMembersAreDecodedWhole() throws CodecException {
        BytesCodec.PartialDecoder gzip = new GzipCodec(6);
        byte[] sample = Samples.random(new SplittableRandom(5), 5000);
        MemorySegment one = encode(gzip, sample);
        MemorySegment none = encode(gzip);
        MemorySegment encoded = arena.allocate(none.byteSize() + one.byteSize());
        encoded.copyFrom(none).asSlice(none.byteSize()).copyFrom(one);
        assertEquals(sample.length, assertDecodes(gzip, encoded, sample, 7, 90, trusting));
        encoded.copyFrom(one).asSlice(one.byteSize()).copyFrom(none);
        assertEquals(sample.length, assertDecodes(gzip, encoded, sample, 7, 90, trusting));
    }
}
