package io.zarrengine.zarr.codec.deflate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.RangeTests;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.blosc.BloscChunks;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Prefixes of gzip and zlib chunks: decoded alone if checksums are not verified, otherwise with the
 * whole chunk. The slow twin is the sample.
 */
final class DeflateFrontTest {
    private final Arena arena = Arena.ofConfined();
    private final Workspace verifying = new Workspace();
    private final Workspace trusting = new Workspace(false);
    private final RangeTests ranges = new RangeTests(arena, verifying);

    static Stream<BytesCodec.PartialDecoder> codecs() {
        return Stream.of(new GzipCodec(6), new ZlibCodec(6));
    }

    @AfterEach
    void close() {
        verifying.close();
        trusting.close();
        arena.close();
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
                MemorySegment encoded = ranges.encode(codec, sample);
                assertEquals(to, ranges.assertDecodes(codec, encoded, sample, from, to, trusting));
                assertEquals(
                        sample.length,
                        ranges.assertDecodes(codec, encoded, sample, from, to, verifying));
            }
        }
    }

    /** A checksum exists to find damage in the back half. */
    @ParameterizedTest
    @MethodSource("codecs")
    void findsDamageAfterThePrefixOnlyByTheChecksum(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = new byte[50_000];
        new SplittableRandom(1).nextBytes(sample); // stored uncompressed
        MemorySegment encoded = ranges.encode(codec, sample);
        flip(encoded, 40_000);
        ranges.assertDecodes(codec, encoded, sample, 10, 20_000, trusting);
        ranges.assertRefused(codec, encoded, sample.length, 1, verifying);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void acceptsAWrongChecksumWithoutVerification(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(2), 5000);
        MemorySegment encoded = ranges.encode(codec, sample);
        flip(encoded, encoded.byteSize() - 5 + (codec instanceof ZlibCodec ? 4 : 0));
        MemorySegment target = arena.allocate(sample.length);
        assertThrows(CodecException.class, () -> codec.decode(encoded, target, verifying));
        assertEquals(sample.length, codec.decode(encoded, target, trusting));
        assertArrayEquals(sample, target.toArray(JAVA_BYTE));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void refusesAStreamThatEndsInsideThePrefix(BytesCodec.PartialDecoder codec)
            throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(3), 5000);
        MemorySegment encoded = ranges.encode(codec, sample);
        for (long bytes : new long[] {0, 1, 2, 9, 10, 17, encoded.byteSize() / 2}) {
            MemorySegment cut = encoded.asSlice(0, bytes);
            ranges.assertRefused(codec, cut, sample.length, sample.length, trusting);
        }
    }

    /**
     * Machine code takes only native memory; for other memory the JDK's inflater gets the prefix.
     */
    @ParameterizedTest
    @MethodSource("codecs")
    void decodesHeapMemory(BytesCodec.PartialDecoder codec) throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(6), 50_000);
        MemorySegment encoded =
                MemorySegment.ofArray(ranges.encode(codec, sample).toArray(JAVA_BYTE));
        for (int to : new int[] {1, 20_000, sample.length - 1, sample.length}) {
            byte[] target = new byte[sample.length];
            MemorySegment segment = MemorySegment.ofArray(target);
            assertEquals(to, codec.decodeRange(encoded, segment, 0, to, trusting));
            assertArrayEquals(Arrays.copyOf(sample, to), Arrays.copyOf(target, to));
        }
    }

    /** A whole chunk has a checksum to compare, and stopping early saves nothing. */
    @ParameterizedTest
    @MethodSource("codecs")
    void readsAWholeChunkToItsEnd(BytesCodec.PartialDecoder codec) throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(7), 5000);
        MemorySegment encoded = ranges.encode(codec, sample);
        MemorySegment longer = arena.allocate(encoded.byteSize() + 50).fill((byte) 1);
        longer.copyFrom(encoded);
        for (MemorySegment damaged : List.of(longer, encoded.asSlice(0, encoded.byteSize() - 1))) {
            ranges.assertRefused(codec, damaged, sample.length, sample.length, trusting);
        }
    }

    /** Each plane of a shuffled block is a stream, of which a prefix is enough. */
    @Test
    void decodesPrefixesOfStreamsInsideBlosc() throws CodecException {
        byte[] sample = new byte[4000];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = (byte) (i / 100); // A plane that does not shrink would be stored.
        }
        int flags = BloscChunks.ZLIB | BloscChunks.BYTE_SHUFFLED;
        byte[] chunk = BloscChunks.encode(sample, flags, 4, sample.length);
        MemorySegment encoded = Samples.nativeCopy(arena, chunk);
        var blosc = new BloscCodec();
        assertEquals(4 * 226, ranges.assertDecodes(blosc, encoded, sample, 300, 901, trusting));
        assertEquals(4000, ranges.assertDecodes(blosc, encoded, sample, 300, 901, verifying));
    }

    /** The length is in the last bytes, so a part is refused like the whole. */
    @Test
    void refusesAGzipChunkOfAnotherSize() throws CodecException {
        BytesCodec.PartialDecoder gzip = new GzipCodec(6);
        byte[] sample = Samples.random(new SplittableRandom(4), 5000);
        MemorySegment encoded = ranges.encode(gzip, sample);
        ranges.assertRefused(gzip, encoded, sample.length - 1, 1, trusting);
        ranges.assertRefused(gzip, encoded, sample.length + 1, 1, trusting);
        MemorySegment cut = encoded.asSlice(0, encoded.byteSize() - 1);
        ranges.assertRefused(gzip, cut, sample.length, 1, trusting);
    }

    /** The length at the end is that of the last member. */
    @Test
    void decodesSeveralMembersWhole() throws CodecException {
        BytesCodec.PartialDecoder gzip = new GzipCodec(6);
        byte[] sample = Samples.random(new SplittableRandom(5), 5000);
        MemorySegment one = ranges.encode(gzip, sample);
        MemorySegment none = ranges.encode(gzip);
        MemorySegment encoded = arena.allocate(none.byteSize() + one.byteSize());
        encoded.copyFrom(none).asSlice(none.byteSize()).copyFrom(one);
        assertEquals(sample.length, ranges.assertDecodes(gzip, encoded, sample, 7, 90, trusting));
        encoded.copyFrom(one).asSlice(one.byteSize()).copyFrom(none);
        assertEquals(sample.length, ranges.assertDecodes(gzip, encoded, sample, 7, 90, trusting));
    }
}
