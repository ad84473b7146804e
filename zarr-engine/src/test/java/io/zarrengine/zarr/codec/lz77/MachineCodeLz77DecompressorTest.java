package io.zarrengine.zarr.codec.lz77;

import static io.zarrengine.zarr.codec.DecompressorTests.assertDecodes;
import static io.zarrengine.zarr.codec.DecompressorTests.assertSaysTheSameOfDamage;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.machinecode.MachineCodeLz77;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.JavaDecompressorTest;
import io.zarrengine.zarr.codec.Samples;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.reference.BloscLz;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams that the machine code refuses go to Java, which reports the error. */
final class MachineCodeLz77DecompressorTest {
    private static final int SAMPLE_BYTES = 3000;

    /** A format, with an encoder and both decoders. */
    enum Format {
        BLOSCLZ,
        SNAPPY;

        Decompressor machineCode() throws CodecException {
            return this == BLOSCLZ
                    ? MachineCodeLz77Decompressor.blosclz()
                    : MachineCodeLz77Decompressor.snappy();
        }

        Decompressor java() throws CodecException {
            return this == BLOSCLZ ? new JavaBloscLzDecompressor() : JavaDecompressors.snappy();
        }

        byte[] encode(byte... sample) {
            return this == BLOSCLZ
                    ? new BloscLz().encode(sample)
                    : JavaDecompressorTest.Format.SNAPPY.encode(sample);
        }
    }

    @BeforeEach
    void assumeItIsThere() {
        assumeTrue(
                MachineCodeLz77.denial().isEmpty(), () -> MachineCodeLz77.denial().orElseThrow());
    }

    private static byte[] sample(long seed) {
        return Samples.random(new SplittableRandom(seed), SAMPLE_BYTES);
    }

    @ParameterizedTest
    @EnumSource
    void decodesOrReportsDamageLikeJava(Format format) throws CodecException {
        List<byte[]> samples =
                IntStream.range(0, 400).mapToObj(seed -> format.encode(sample(seed))).toList();
        try (Decompressor decompressor = format.machineCode();
                Decompressor java = format.java()) {
            assertSaysTheSameOfDamage(decompressor, java, samples, SAMPLE_BYTES);
        }
    }

    /** A prefix is right whatever follows; a whole stream is read to its end. */
    @ParameterizedTest
    @EnumSource
    void readsNothingAfterThePrefix(Format format) throws CodecException {
        byte[] sample = sample(4);
        byte[] encoded = format.encode(sample);
        try (Decompressor decompressor = format.machineCode();
                Arena arena = Arena.ofConfined()) {
            assertDecodes(sample, decompressor, encoded);
            MemorySegment stream = Samples.nativeCopy(arena, encoded);
            stream.asSlice(stream.byteSize() - 20).fill((byte) 0xFF);
            MemorySegment target = arena.allocate(SAMPLE_BYTES);
            long bytes = decompressor.decompressFront(stream, target, 1000);
            assertTrue(bytes >= 1000, bytes + " bytes");
            assertArrayEquals(
                    Arrays.copyOf(sample, 1000), target.asSlice(0, 1000).toArray(JAVA_BYTE));
            assertEquals(-1, decompressor.decompressFront(stream, target, SAMPLE_BYTES));
        }
    }
}
