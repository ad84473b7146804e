package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.codec.lz77.JavaBloscLzDecompressor;
import io.zarrengine.zarr.codec.lz77.JavaLz4Decompressor;
import io.zarrengine.zarr.codec.lz77.JavaSnappyDecompressor;
import io.zarrengine.zarr.codec.lz77.Liblz4Decompressor;
import io.zarrengine.zarr.codec.lz77.MachineCodeLz77Decompressor;
import io.zarrengine.zarr.codec.zstd.MachineCodeZstdDecompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.reference.BloscLz;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The decoders in Java accept and refuse the same input as the native ones, also damaged input and
 * prefixes.
 */
final class JavaDecodersAnswersTest {
    private static final int SAMPLE_BYTES = 3000;

    /** Formats that the engine decodes in Java. */
    enum Format {
        LZ4,
        SNAPPY,
        BLOSCLZ;

        Decompressor java() {
            return switch (this) {
                case LZ4 -> new JavaLz4Decompressor();
                case SNAPPY -> new JavaSnappyDecompressor();
                case BLOSCLZ -> new JavaBloscLzDecompressor();
            };
        }

        Decompressor nativeOne() {
            if (this == LZ4) {
                assumeTrue(NativeLibrary.LIBLZ4.isAvailable(), "there is no liblz4");
                return new Liblz4Decompressor();
            }
            assumeTrue(MachineCodeLz77.denial().isEmpty(), "there is no machine code");
            return this == SNAPPY
                    ? MachineCodeLz77Decompressor.snappy()
                    : MachineCodeLz77Decompressor.blosclz();
        }

        byte[] encode(byte... sample) {
            return switch (this) {
                case LZ4 -> JavaDecompressorTest.Format.LZ4.encode(sample);
                case SNAPPY -> JavaDecompressorTest.Format.SNAPPY.encode(sample);
                case BLOSCLZ -> new BloscLz().encode(sample);
            };
        }
    }

    /** Returns the outcome of decoding all of a chunk or a prefix, as a read of an array does. */
    private static String outcome(
            Format format, Decompressor decompressor, byte[] encoded, int[] sizes) {
        int size = sizes[0];
        int front = sizes[1];
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, size);
            MemorySegment input = Samples.nativeCopy(arena, encoded);
            try {
                long bytes = decodeAtLeast(decompressor, input, target.segment(), front);
                long shown = Math.min(bytes, front);
                byte[] decoded = target.segment().asSlice(0, shown).toArray(JAVA_BYTE);
                // For a prefix, liblz4 leaves old bytes where a match refers to itself.
                boolean isDefined = format != Format.LZ4 || front == size;
                return shown + ": " + (isDefined ? Arrays.hashCode(decoded) : 0);
            } catch (CodecException e) {
                return "refused";
            } finally {
                target.assertIntact();
            }
        }
    }

    private static long decodeAtLeast(
            Decompressor decompressor, MemorySegment input, MemorySegment target, long front)
            throws CodecException {
        long bytes = decompressor.decompressFront(input, target, front);
        if (bytes >= 0) {
            return bytes;
        }
        try {
            return decompressor.decompress(input, target);
        } catch (CodecException e) {
            long salvaged = decompressor.salvageFront(input, target, front);
            if (salvaged < 0) {
                throw e;
            }
            return salvaged;
        }
    }

    @ParameterizedTest
    @EnumSource
    void answerLikeTheNativeOnesForAnyDamage(Format format) throws CodecException {
        SplittableRandom random = new SplittableRandom(49);
        int refused = 0;
        try (Decompressor ours = format.java();
                Decompressor other = format.nativeOne()) {
            for (int round = 0; round < 4000; round++) {
                byte[] sample = Samples.random(random, 1 + random.nextInt(SAMPLE_BYTES));
                byte[] damaged = format.encode(sample);
                for (int n = random.nextInt(4); n > 0; n--) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
                }
                if (random.nextInt(4) == 0) {
                    damaged = Arrays.copyOf(damaged, 1 + random.nextInt(damaged.length));
                }
                int front =
                        random.nextBoolean() ? sample.length : random.nextInt(sample.length) + 1;
                int[] sizes = {sample.length, front};
                String expected = outcome(format, other, damaged, sizes);
                assertEquals(expected, outcome(format, ours, damaged, sizes), "round " + round);
                refused += expected.equals("refused") ? 1 : 0;
            }
        }
        assertTrue(refused > 500, refused + " are refused");
    }

    /** Machine code and libzstd decode these frames at once. */
    @Test
    void javaDecodesZstdFramesThatTheLibraryItUsesDoesNot() throws CodecException {
        byte[] first = Samples.random(new SplittableRandom(1), SAMPLE_BYTES);
        byte[] second = Samples.random(new SplittableRandom(2), SAMPLE_BYTES);
        byte[] both = concat(first, second);
        byte[] frame = zstd(first);
        byte[] other = zstd(second);
        byte[] skipped = skippable(300);
        try (Decompressor java = MachineCodeZstdDecompressor.inJava(true)) {
            DecompressorTests.assertDecodes(first, java, concat(skipped, frame));
            DecompressorTests.assertDecodes(first, java, concat(frame, skippable(0)));
            DecompressorTests.assertDecodes(both, java, concat(frame, skipped, other, skipped));
            DecompressorTests.assertDecodes(new byte[0], java, skipped);
            for (byte[] cut :
                    new byte[][] {
                        Arrays.copyOf(skipped, skipped.length - 1),
                        concat(frame, Arrays.copyOf(skipped, 7)),
                        concat(frame, Arrays.copyOf(other, other.length - 1)),
                        concat(frame, new byte[] {1, 2, 3}),
                    }) {
                assertThrows(
                        CodecException.class,
                        () -> DecompressorTests.decode(java, cut, both.length));
            }
        }
    }

    /** The window has no meaning when a frame is decoded to a target of its own. */
    @Test
    void javaDecodesZstdFramesWithLargeWindows() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(3), SAMPLE_BYTES);
        byte[] frame = withWindow(zstd(sample), 21 << 3); // 2 GiB
        byte[] before = frame.clone();
        try (Decompressor java = MachineCodeZstdDecompressor.inJava(true)) {
            DecompressorTests.assertDecodes(sample, java, frame);
            assertArrayEquals(before, frame, "the chunk is not the decoder's to change");
        }
    }

    /** Damage after the prefix is not found, as with the other decoders. */
    @Test
    void javaDecodesTheFrontOfAZstdFrame() throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(4), 1 << 20);
        byte[] frame = zstd(sample);
        byte[] damaged = frame.clone();
        Arrays.fill(damaged, damaged.length - 2000, damaged.length - 4, (byte) 0x5a);
        int front = 200_000;
        try (Decompressor java = MachineCodeZstdDecompressor.inJava(false);
                Arena arena = Arena.ofConfined()) {
            MemorySegment input = Samples.nativeCopy(arena, frame);
            MemorySegment target = arena.allocate(sample.length);
            assertEquals(-1, java.decompressFront(input, target, sample.length));
            long bytes = java.decompressFront(input, target, front);
            assertTrue(bytes >= front && bytes < sample.length, bytes + " bytes");
            assertArrayEquals(
                    Arrays.copyOf(sample, front), target.asSlice(0, front).toArray(JAVA_BYTE));
        }
    }

    private static byte[] zstd(byte... sample) {
        return JavaDecompressorTest.Format.ZSTD.encode(sample);
    }

    private static byte[] skippable(int bytes) {
        return ByteBuffer.allocate(8 + bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x184D2A5F)
                .putInt(bytes)
                .array();
    }

    /** Returns a single-segment frame as a frame with a window. */
    private static byte[] withWindow(byte[] frame, int descriptor) {
        int sizeBytes = 1 << (frame[4] >> 6 & 3);
        assertEquals(0x20, frame[4] & 0x20, "it has a window");
        ByteBuffer size = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        size.put(frame, 5, sizeBytes);
        int content = size.getInt(0) + (sizeBytes == 2 ? 256 : 0);
        ByteBuffer changed =
                ByteBuffer.allocate(frame.length + 5 - sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
        changed.put(frame, 0, 4).put((byte) (0x80 | (frame[4] & 4))).put((byte) descriptor);
        changed.putInt(content).put(frame, 5 + sizeBytes, frame.length - 5 - sizeBytes);
        return changed.array();
    }

    private static byte[] concat(byte[]... parts) {
        ByteBuffer all =
                ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
