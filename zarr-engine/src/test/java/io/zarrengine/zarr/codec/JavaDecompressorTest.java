package io.zarrengine.zarr.codec;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.decode;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.zarr.codec.lz77.JavaDecompressors;
import io.zarrengine.zarr.codec.lz77.Liblz4Decompressor;
import io.zarrengine.zarr.codec.lz77.MachineCodeLz77Decompressor;
import io.zarrengine.zarr.codec.zstd.LibzstdDecompressor;
import io.zarrengine.zarr.codec.zstd.MachineCodeZstdDecompressor;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The decoders in Java and the native ones give the same bytes and the same refusals for the same
 * input.
 */
public final class JavaDecompressorTest {
    /** A format, with an encoder in Java. */
    public enum Format {
        ZSTD,
        LZ4,
        SNAPPY;

        Decompressor java() throws CodecException {
            return switch (this) {
                case ZSTD -> MachineCodeZstdDecompressor.inJava(true);
                case LZ4 -> JavaDecompressors.lz4();
                case SNAPPY -> JavaDecompressors.snappy();
            };
        }

        public byte[] encode(byte[] sample) {
            Compressor compressor =
                    switch (this) {
                        case ZSTD -> new ZstdJavaCompressor();
                        case LZ4 -> new Lz4JavaCompressor();
                        case SNAPPY -> new SnappyJavaCompressor();
                    };
            byte[] encoded = new byte[compressor.maxCompressedLength(sample.length)];
            int bytes = compressor.compress(sample, 0, sample.length, encoded, 0, encoded.length);
            return Arrays.copyOf(encoded, bytes);
        }

        Decompressor nativeOne() throws CodecException {
            if (this == SNAPPY) {
                assumeTrue(MachineCodeLz77.denial().isEmpty(), "there is nothing to compare with");
                return MachineCodeLz77Decompressor.snappy();
            }
            NativeLibrary library = this == ZSTD ? NativeLibrary.LIBZSTD : NativeLibrary.LIBLZ4;
            assumeTrue(library.isAvailable(), "there is nothing to compare with");
            return this == ZSTD ? new LibzstdDecompressor(true) : new Liblz4Decompressor();
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatWasEncoded(Format format) throws CodecException {
        SplittableRandom random = new SplittableRandom(11);
        try (Decompressor decompressor = format.java()) {
            for (int bytes : Samples.boundaryBytes()) {
                byte[] sample = Samples.random(random, bytes);
                assertDecodes(sample, decompressor, format.encode(sample));
            }
            for (int round = 0; round < 40; round++) {
                byte[] sample = Samples.random(random, random.nextInt(200_000));
                assertDecodes(sample, decompressor, format.encode(sample));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesToTheFrontOfALargerTarget(Format format) throws CodecException {
        byte[] sample = Samples.random(new SplittableRandom(12), 3000);
        try (Decompressor decompressor = format.java()) {
            assertArrayEquals(sample, decode(decompressor, format.encode(sample), 5000));
        }
    }

    /** An empty target is a special case: aircompressor does not read the input then. */
    @ParameterizedTest
    @EnumSource
    void refusesMoreThanTheTargetHolds(Format format) throws CodecException {
        try (Decompressor decompressor = format.java()) {
            for (int seed = 0; seed < 20; seed++) {
                byte[] sample = Samples.random(new SplittableRandom(seed), 3000);
                byte[] encoded = format.encode(sample);
                for (int bytes : new int[] {0, 1, 7, 8, 9, 1500, 2990, 2999}) {
                    Class<? extends CodecException> expected =
                            format == Format.SNAPPY
                                    ? CodecException.class
                                    : TargetTooSmallException.class;
                    assertThrows(expected, () -> decode(decompressor, encoded, bytes));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ZSTD", "LZ4"})
    void theNativeLibraryTellsATargetThatIsTooSmallFromDamage(Format format) throws CodecException {
        try (Decompressor decompressor = format.nativeOne()) {
            for (int seed = 0; seed < 20; seed++) {
                byte[] sample = Samples.random(new SplittableRandom(seed), 3000);
                byte[] encoded = format.encode(sample);
                for (int bytes : new int[] {0, 1, 7, 8, 9, 1500, 2990, 2999}) {
                    assertThrows(
                            TargetTooSmallException.class,
                            () -> decode(decompressor, encoded, bytes));
                }
                byte[] part = Arrays.copyOf(encoded, encoded.length - 1);
                CodecException damage =
                        assertThrows(CodecException.class, () -> decode(decompressor, part, 3000));
                assertFalse(damage instanceof TargetTooSmallException, damage::getMessage);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesNothingOutsideTheTargetOnDamage(Format format) throws CodecException {
        try (Decompressor decompressor = format.java()) {
            for (int seed = 0; seed < 20; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                byte[] sample = Samples.random(random, 1 + random.nextInt(3000));
                DecompressorTests.assertSurvivesDamage(
                        seed, decompressor, format.encode(sample), sample.length, 150);
            }
        }
    }

    /** Some messages of aircompressor end with an address, others with a position in the input. */
    @ParameterizedTest
    @EnumSource
    void reportsDamageWithoutAMemoryAddress(Format format) throws CodecException {
        SplittableRandom random = new SplittableRandom(14);
        int refused = 0;
        try (Decompressor decompressor = format.java()) {
            for (int round = 0; round < 200; round++) {
                byte[] sample = Samples.random(random, 3000);
                MemorySegment encoded = MemorySegment.ofArray(format.encode(sample));
                byte[] damaged = Samples.damaged(random, encoded).toArray(JAVA_BYTE);
                try {
                    decode(decompressor, damaged, sample.length);
                } catch (CodecException e) {
                    assertFalse(e.getMessage().contains("offset="), e::getMessage);
                    refused++;
                }
            }
        }
        assertTrue(refused > 50, refused + " are damaged");
    }

    @ParameterizedTest
    @EnumSource
    void decodesLikeTheNativeLibrary(Format format) throws CodecException {
        SplittableRandom random = new SplittableRandom(13);
        try (Decompressor ours = format.nativeOne();
                Decompressor java = format.java()) {
            for (int round = 0; round < 60; round++) {
                byte[] sample = Samples.random(random, random.nextInt(20_000));
                byte[] encoded = format.encode(sample);
                assertArrayEquals(
                        decode(ours, encoded, sample.length), decode(java, encoded, sample.length));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nativeLibraryWritesNothingOutsideTheTarget(Format format) throws CodecException {
        try (Decompressor decompressor = format.nativeOne()) {
            for (int seed = 0; seed < 20; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                byte[] sample = Samples.random(random, 1 + random.nextInt(3000));
                DecompressorTests.assertSurvivesDamage(
                        seed, decompressor, format.encode(sample), sample.length, 150);
            }
        }
    }
}
