package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract of every {@link BytesCodec} that can encode. The test of a codec implements {@link
 * #codec} and inherits the rest.
 */
public interface BytesCodecContract {
    BytesCodec codec();

    /** Returns n, where one of n random inputs is used, for codecs that encode slowly. */
    default int oneOf() {
        return 1;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    default void decodesWhatItEncoded(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        try (Workspace workspace = new Workspace()) {
            for (int bytes : Samples.boundaryBytes()) {
                checkRoundTrip(Samples.random(random, bytes), workspace);
            }
            for (int round = 0; round < 60 / oneOf(); round++) {
                checkRoundTrip(Samples.random(random, random.nextInt(60_000)), workspace);
            }
        }
    }

    private void checkRoundTrip(byte[] sample, Workspace workspace) throws CodecException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = encode(arena, sample, workspace);
            GuardedMemory target = new GuardedMemory(arena, sample.length);
            MemorySegment decoded = decode(codec(), encoded, target, workspace);
            assertArrayEquals(sample, decoded.toArray(JAVA_BYTE));
            target.assertIntact();
        }
    }

    /** Bytes that do not compress reach the bound. */
    @Test
    default void staysWithinItsBound() throws CodecException {
        SplittableRandom random = new SplittableRandom(1);
        try (Workspace workspace = new Workspace()) {
            int[] larger = {(1 << 17) - 1, 1 << 17, (1 << 17) + 1, 300_000};
            IntStream sizes =
                    IntStream.concat(IntStream.of(Samples.boundaryBytes()), IntStream.of(larger));
            for (int bytes : sizes.toArray()) {
                byte[] sample = new byte[bytes];
                random.nextBytes(sample);
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment encoded = encode(arena, sample, workspace);
                    assertTrue(encoded.byteSize() <= codec().encodedBytesMax(bytes));
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    default void damagedInputNeverWritesOutsideTheTarget(long seed) throws CodecException {
        SplittableRandom random = new SplittableRandom(seed);
        try (Workspace workspace = new Workspace()) {
            for (int round = 0; round < 400 / oneOf(); round++) {
                byte[] sample = Samples.random(random, random.nextInt(3000));
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment encoded = encode(arena, sample, workspace);
                    MemorySegment damaged = Samples.damaged(random, encoded);
                    GuardedMemory target = new GuardedMemory(arena, sample.length);
                    decodeOrRefuse(codec(), damaged, target, workspace);
                    target.assertIntact();
                }
            }
        }
    }

    /** The chunk is larger than its metadata claims. */
    @Test
    default void refusesATargetThatIsTooSmall() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(3), 5000);
        try (Workspace workspace = new Workspace();
                Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = encode(arena, sample, workspace);
            for (int bytes : new int[] {0, 1, 4096, 4999}) {
                GuardedMemory target = new GuardedMemory(arena, bytes);
                if (codec() instanceof BytesCodec.Compressor compressor) {
                    assertThrows(
                            TargetTooSmallException.class,
                            () -> compressor.decode(encoded, target.segment(), workspace));
                }
                target.assertIntact();
            }
        }
    }

    private MemorySegment encode(Arena arena, byte[] sample, Workspace workspace)
            throws CodecException {
        MemorySegment decoded = Samples.nativeCopy(arena, sample);
        GuardedMemory encoded =
                new GuardedMemory(arena, codec().encodedBytesMax(decoded.byteSize()));
        long bytes = codec().encode(decoded, encoded.segment(), workspace);
        encoded.assertIntact();
        assertArrayEquals(sample, decoded.toArray(JAVA_BYTE), "encoding changed its input");
        return encoded.segment().asSlice(0, bytes);
    }

    /** Returns the decoded bytes: the front of the target, or a slice of the input. */
    static MemorySegment decode(
            BytesCodec codec, MemorySegment encoded, GuardedMemory target, Workspace workspace)
            throws CodecException {
        return switch (codec) {
            case BytesCodec.Checksum checksum -> checksum.verify(encoded);
            case BytesCodec.Compressor compressor -> {
                long bytes = compressor.decode(encoded, target.segment(), workspace);
                yield target.segment().asSlice(0, bytes);
            }
        };
    }

    private static void decodeOrRefuse(
            BytesCodec codec, MemorySegment encoded, GuardedMemory target, Workspace workspace) {
        try {
            decode(codec, encoded, target, workspace);
        } catch (CodecException expected) {
            // A codec without a checksum may also decode to other bytes.
        }
    }
}
